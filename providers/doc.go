// Package providers reads tool calls out of the messages of model providers and
// renders results for their next request. It is pure.
package providers
