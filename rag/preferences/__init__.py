"""What a session wants otherwise than the server: its fields, their checks, how they are stored and take effect."""
