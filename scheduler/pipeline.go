package scheduler

// moment is when a stage of a pipeline looks at a call.
type moment int

const (
	atSubmission moment = iota // in the commit that accepts the batch
	atTurn                     // when the call is about to run
)

// stage is one row of a pipeline. Exactly one of batch and call is set: the
// first judges the whole batch, the second one call that has not ended.
type stage struct {
	name  string
	when  moment
	batch func(*transition)
	call  func(*transition, int)
}

// The stages. Each ends calls, or leaves them to the next.
var (
	stageNames     = stage{name: "canonical names", batch: (*transition).nameCalls}
	stageLoop      = stage{name: "loop", batch: (*transition).detectLoop}
	stageDuplicate = stage{name: "duplicates", batch: (*transition).answerDuplicates}
	stageStructure = stage{name: "structured output", batch: (*transition).preferStructuredOutput}
	stageBoundary  = stage{name: "plan boundary", batch: (*transition).enforceBoundary}
	stageDeny      = stage{name: "deny rules", call: (*transition).denyByRule}
	stageLookup    = stage{name: "tool lookup", call: (*transition).lookUpTool}
	stageArguments = stage{name: "arguments", call: (*transition).checkArguments}
	stageDecide    = stage{name: "ask / allow / mode", call: (*transition).decide}
	stageQuestion  = stage{name: "hook, approval", call: (*transition).question}
	stageBudget    = stage{name: "budget", when: atTurn, call: (*transition).reserve}
	stageExecute   = stage{name: "execution", when: atTurn, call: (*transition).execute}
)

// pipelines is the order of the stages for each runtime.
var pipelines = map[Runtime][]stage{
	RuntimeCore: {
		stageNames, stageLoop, stageDuplicate, stageStructure, stageBoundary,
		stageDeny, stageLookup, stageArguments, stageDecide, stageQuestion,
		stageExecute,
	},
	RuntimeACP: {
		stageNames, stageLoop, stageDuplicate, stageStructure, stageBoundary,
		stageDeny, stageLookup, stageArguments, stageDecide.at(atTurn), stageQuestion.at(atTurn),
		stageExecute,
	},
	RuntimeHeadless: {
		stageNames, stageLoop, stageDuplicate, stageStructure, stageBoundary,
		stageDeny, stageLookup, stageArguments, stageDecide, stageQuestion,
		stageBudget, stageExecute,
	},
}

// at is the same stage at another moment.
func (s stage) at(when moment) stage {
	s.when = when
	return s
}

// run takes the stages of a moment over the calls that have not ended. A stage
// is finished with all calls before the next begins.
func (t *transition) run(when moment) {
	for _, s := range pipelines[t.s.Runtime] {
		if s.when != when {
			continue
		}
		if s.batch != nil {
			s.batch(t)
			if t.b.Stop != nil && t.b.Stop.Reason == StopLoopDetected {
				return // rejected whole
			}
			continue
		}
		for i := range t.b.Calls {
			if t.b.Calls[i].State == StateQueued {
				s.call(t, i)
			}
		}
	}
}

// turn takes the stages of its turn over one call, as long as none of them
// ended it or made it wait.
func (t *transition) turn(i int) {
	for _, s := range pipelines[t.s.Runtime] {
		if s.when == atTurn && t.b.Calls[i].State == StateQueued {
			s.call(t, i)
		}
	}
}
