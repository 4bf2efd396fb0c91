"""Problems: every error that the service answers with."""
