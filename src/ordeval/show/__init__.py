"""What people look at: tables and text."""
