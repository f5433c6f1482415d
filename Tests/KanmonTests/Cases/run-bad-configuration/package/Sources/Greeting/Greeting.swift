package let greeting = "Hello"
