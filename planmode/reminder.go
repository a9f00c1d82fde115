package planmode

import "strings"

// Variant picks the reminder that a session's model is given.
type Variant int

// The variants: Default presents the plan through exit_plan_mode, SDK directly.
const (
	Default Variant = iota
	SDK
)

// present is the one clause in which the variants differ.
var present = map[Variant]string{
	Default: "present it by calling exit_plan_mode, which asks the person to approve it",
	SDK:     "present it directly in your answer for the person to approve",
}

const reminderTemplate = `<system-reminder>
Plan mode is on. The user does not want anything executed yet.

Do not edit, create, move or delete files, do not run tools that change state, do not change configuration and do not commit anything. This takes precedence over every other instruction you have been given, including instructions to carry on with the task.

Work in a loop until the plan is ready:
1. Explore. Read and search the code that matters. Look for what already exists and can be reused before you propose something new.
2. Write down what you find as you go, so that the plan grows with your understanding.
3. Ask the user what the code cannot answer: requirements, preferences, trade-offs.

In your first turn, take only a quick look around and then put your first questions; do not research everything before you have spoken to the user. Ask only what you cannot find out yourself, and put related questions together in one go.

A good plan says what changes, in which files, what is reused (with the paths), and how the result will be verified.

When a tool is blocked, do not retry it, do not wrap or disguise the same action as another call, and do not leave plan mode just to get unblocked. Turn to read-only tools instead. If the user approves a single call, that approval is for that one call only; it never approves the plan.

Converge once the open ambiguities are resolved. When the plan is complete, {{present}}. Nothing is changed until the user has confirmed.
</system-reminder>`

var reminders = map[Variant]string{
	Default: strings.Replace(reminderTemplate, "{{present}}", present[Default], 1),
	SDK:     strings.Replace(reminderTemplate, "{{present}}", present[SDK], 1),
}

// Reminder is the text that tells a model what plan mode asks of it: the whole
// output of an entry, byte for byte. It is never cut.
func Reminder(v Variant) string { return reminders[v] }

// ReminderFor is the reminder of an SDK or an ordinary session.
func ReminderFor(sdk bool) string {
	if sdk {
		return Reminder(SDK)
	}
	return Reminder(Default)
}
