"""What numbers are: their types, their angles, the frequencies of these and the steps that were rounded."""
