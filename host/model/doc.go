// Package model talks to the models behind a host: Anthropic's Messages,
// OpenAI's Chat Completions and what is compatible with them, Gemini, and a
// script for tests and demonstrations.
//
// A Chat holds a conversation in its provider's own shape and never rewrites
// what a model said, so that signed and encrypted parts go back as they came.
package model
