// Package greet greets.
package greet

// Hello greets somebody by name, and the world where there is no name.
func Hello(name string) string {
	return "Hello, " + name + "!"
}
