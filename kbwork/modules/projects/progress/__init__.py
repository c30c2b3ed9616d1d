"""How a project goes: in numbers, and in what people say of it."""
