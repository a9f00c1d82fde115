// Package chaos runs the gateway as production does, breaks everything around
// it, and asks the clients afterwards what they got.
//
// There is nothing but tests here. TestChaos starts three gateway processes on
// a real Redis (one server; Sentinel; a cluster with replicas), lets simulated
// model clients, hosts, people and frontends work through them, and meanwhile
// strikes by a schedule drawn from a seed: killed, stopped and frozen
// processes, failovers, cut and slow connections. Every party writes down what
// it was told and when. From these records alone it is judged that nothing
// acknowledged was lost, nothing came twice and every history is linearizable.
// Other tests do the same for streams under stress and for leaks.
//
// docs/chaos.md says what is checked and how to repeat a seed.
package chaos
