"""Statistics: what many games say of the people who played them. All of it follows from the games; nothing is counted
beside them, so a corrected game corrects every figure."""
