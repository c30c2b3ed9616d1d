"""How an operation is declared, called and answered."""
