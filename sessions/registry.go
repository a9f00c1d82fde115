package sessions

import (
	"fmt"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// The gateway's own tools as a model is told of them.
var gatewayTools = map[string]ToolDeclaration{
	scheduler.ToolEnterPlanMode: {
		Name: scheduler.ToolEnterPlanMode, Kind: permissions.KindSwitchMode, Aliases: []string{},
		Description: "Enter plan mode: research and plan first, change nothing until a person has approved the plan. " +
			"Call it alone: other calls in the same response are not executed. Set userRequested when the user asked for a plan.",
		InputSchema: scheduler.RawJSON(`{"type":"object","properties":{` +
			`"userRequested":{"type":"boolean","description":"The user asked for plan mode."},` +
			`"note":{"type":"string","maxLength":65536,"description":"A first paragraph for the plan."}},` +
			`"additionalProperties":false}`),
	},
	scheduler.ToolExitPlanMode: {
		Name: scheduler.ToolExitPlanMode, Kind: permissions.KindSwitchMode, Aliases: []string{},
		Description: "Present the finished plan to a person for approval. Plan mode ends only if the person approves.",
		InputSchema: scheduler.RawJSON(`{"type":"object","properties":{` +
			`"plan":{"type":"string","maxLength":262144,"description":"The whole plan. Left out, the plan written so far is presented."}}}`),
	},
	scheduler.ToolReadOutput: {
		Name: scheduler.ToolReadOutput, Kind: permissions.KindRead, ReadOnly: true, Aliases: []string{},
		Description: "Read a page of an output that was too long to be shown whole.",
		InputSchema: scheduler.RawJSON(fmt.Sprintf(`{"type":"object","properties":{`+
			`"ref":{"type":"string","description":"The reference that stands in the cut output."},`+
			`"offset":{"type":"integer","minimum":0,"description":"The first character of the page."},`+
			`"limit":{"type":"integer","minimum":1,"maximum":%d,"description":"How many characters."}},`+
			`"required":["ref"],"additionalProperties":false}`, scheduler.MaxPageChars)),
	},
	scheduler.ToolStructuredOutput: {
		Name: scheduler.ToolStructuredOutput, Kind: permissions.KindOther, Aliases: []string{},
		Description: "Give the final answer as structured data. It ends the turn.",
	},
}

// advertised is the whole registry in the order in which it is told: declared
// tools first, then the gateway's own that are registered.
func (d *document) advertised() ToolSet {
	out := append(ToolSet{}, d.tools...)
	return append(out, gatewaySet(&d.spec)...)
}

// gatewaySet is the gateway's own tools that a session has.
func gatewaySet(s *spec) ToolSet {
	var out ToolSet
	if s.PlanModule {
		out = append(out, gatewayTools[scheduler.ToolEnterPlanMode], gatewayTools[scheduler.ToolExitPlanMode])
	}
	if s.StructuredSchema != nil {
		structured := gatewayTools[scheduler.ToolStructuredOutput]
		structured.InputSchema = s.StructuredSchema
		out = append(out, structured)
	}
	return append(out, gatewayTools[scheduler.ToolReadOutput])
}

// buildRegistry compiles a session's tools, which were checked when they were
// declared.
func buildRegistry(declared ToolSet, s *spec) (*scheduler.Registry, error) {
	var tools []scheduler.Tool
	for _, d := range declared {
		t, err := compileTool(d, false)
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	for _, d := range gatewaySet(s) {
		t, err := compileTool(d, true)
		if err != nil {
			return nil, err
		}
		tools = append(tools, t)
	}
	return scheduler.NewRegistry(tools)
}

func compileTool(d ToolDeclaration, gateway bool) (scheduler.Tool, error) {
	validate, err := compileSchema(d.InputSchema)
	if err != nil {
		return scheduler.Tool{}, fmt.Errorf("tool %s: %w", d.Name, err)
	}
	t := scheduler.Tool{
		Permission: permissions.Tool{
			Name: d.Name, Aliases: d.Aliases, Kind: d.Kind, ReadOnly: d.ReadOnly, Subjects: d.Subjects, Gateway: gateway,
		},
		Agent: d.Agent, Timeout: seconds(d.TimeoutS), Validate: validate,
		Fingerprint: shortHash(encode(d)),
	}
	if d.MaxOutputChars != nil {
		t.OutputLimit = int(*d.MaxOutputChars)
	}
	return t, nil
}
