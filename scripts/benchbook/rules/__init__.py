"""The rules of `check`, one module a subject: each rule takes the inventory and yields what falls short."""
