"""What is measured, each figure beside a raw floor that was taken in the same run."""
