package store
import ("testing";"strings";"fmt";"time"
"github.com/session-gateway/gateway/internal/redistest")
func BenchmarkAdhoc(b *testing.B) {
	s := opener(b, redistest.Shared(b).URL())()
	topic := newTopic()
	head := create(b, s, topic)
	var all, build []time.Duration
	s.client.Do(b.Context(),"config","resetstat")
	for range 3000 {
		c := submission(s, topic, head)
		build = append(build, timed(func() error { c.validate(); buildCommit(&c, "PUBLISH"); return nil}))
		all = append(all, timed(func() error { return s.Commit(b.Context(), c) }))
		head = c.head()
	}
	for _, l := range strings.Split(s.client.Info(b.Context(),"commandstats").Val(),"\r\n") { if i:=strings.Index(l,",rej"); i>0 {fmt.Println(l[:i])} }
	fmt.Println(s.client.Info(b.Context(),"latencystats").Val())
	fmt.Println("commit", median(all), "build", median(build))
}
