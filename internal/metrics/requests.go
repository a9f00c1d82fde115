package metrics

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/session-gateway/gateway/api"
)

// unrouted stands for the route of a request that has none.
const unrouted = "none"

type requests struct {
	total    *prometheus.CounterVec
	problems *prometheus.CounterVec
	took     *prometheus.HistogramVec
}

func newRequests(f factory) requests {
	r := requests{
		problems: f.counterVec("http_problems_total", "Requests refused, by the code of the problem; those of JSON-RPC too.", "reason"),
		total: f.counterVec("http_requests_total",
			"Requests by route, method and class of the answer's status; a stream counts when it begins.", "route", "method", "code"),
		took: f.histogramVec("http_request_duration_seconds",
			"Time until the answer was written, without streams.", requestBuckets, "route", "method", "code"),
	}
	for _, kind := range api.ProblemKinds() { // a rate needs a zero to begin with
		r.problems.WithLabelValues(string(kind.Code))
	}
	return r
}

// Request is told of an answered request.
func (m *Metrics) Request(x api.Exchange) {
	route := x.Route
	if route == "" {
		route = unrouted
	}
	class := strconv.Itoa(x.Status/100) + "xx"
	m.requests.total.WithLabelValues(route, x.Method, class).Inc()
	for _, code := range x.Problems {
		m.requests.problems.WithLabelValues(string(code)).Inc()
	}
	if !x.Stream {
		m.requests.took.WithLabelValues(route, x.Method, class).Observe(x.Took.Seconds())
	}
}
