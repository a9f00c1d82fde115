// Made from openapi.yaml by `make generate`. Change that instead.
export interface paths {
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tenant's sessions, newest first */
        get: operations["listSessions"];
        put?: never;
        /**
         * Create a session
         * @description Every field is optional. With an Idempotency-Key the session's id is derived from it.
         */
        post: operations["createSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /** Read a session */
        get: operations["getSession"];
        put?: never;
        post?: never;
        /**
         * Close a session and its descendants
         * @description Open calls end as `session_closed`, streams end. A closed session can still be read, until it is forgotten.
         */
        delete: operations["closeSession"];
        options?: never;
        head?: never;
        /** Replace a session's labels */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/v1/sessions/{sid}/tools": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Advertise the registry, ready for a provider's `tools`
         * @description The declared tools and the gateway's own, in the form that the model provider takes.
         */
        get: operations["getTools"];
        /**
         * Replace the declared tools
         * @description Whole replacement; a missing list is empty. An open batch is decided again. While plan mode is on, own or
         *     inherited, an existing tool's kind, read_only, aliases and subjects can't change.
         */
        put: operations["putTools"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Replace the session's rules
         * @description Whole replacement; a missing list is empty. An open batch is decided again.
         */
        put: operations["putRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/approval-mode": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Change the approval mode, as a person
         * @description Open plan-exit approvals go stale in the same commit. On a locked session only an admin may.
         */
        put: operations["putApprovalMode"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /** Read the plan and the reminder */
        get: operations["getPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Append to the plan, or replace its text
         * @description Exactly one of `append` and `text`. `If-Match` holds the revision that the change is based on.
         */
        patch: operations["patchPlan"];
        trace?: never;
    };
    "/v1/sessions/{sid}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /** List what `allow_session` answers made the session remember */
        get: operations["listGrants"];
        put?: never;
        post?: never;
        /** Forget all grants, or one */
        delete: operations["revokeGrants"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /** Say which host is attached */
        get: operations["listHosts"];
        put?: never;
        /**
         * Become the host that runs the session's calls
         * @description A session has at most one attached host. A newer attachment takes over, also of the same host: what the older
         *     one had claimed ends as `host_lost`, what it was only offered is the new one's. While a host is attached,
         *     claims, results and batches of any other, or with an older fence, are `host_fenced`. The lease lasts `ttl_s`
         *     seconds from its last renewal (heartbeatHost).
         */
        post: operations["attachHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/hosts/{host_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example host-1 */
                host_id: components["parameters"]["AttachedHostId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Leave
         * @description What the host had claimed ends as `host_lost`; what it was offered waits for the next host.
         */
        delete: operations["detachHost"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/hosts/{host_id}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example host-1 */
                host_id: components["parameters"]["AttachedHostId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renew the lease
         * @description Three times within a lease is a good rhythm. It is no event and no commit. The answer is never a stored one:
         *     a repetition renews again, whatever its Idempotency-Key. A lease that has run out can't be renewed; attach
         *     again.
         */
        post: operations["heartbeatHost"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * List the session's turns, newest first
         * @description Without what was said in them, and with long inputs shortened.
         */
        get: operations["listTurns"];
        put?: never;
        /**
         * Prompt the session's host, as a person
         * @description Opens the session's turn; there is one at a time. Hosts learn of it by `turn.started`, with the plan reminder
         *     while plan mode is on (own or inherited) and with what the model is still to be told of. Loop detection
         *     begins anew.
         */
        post: operations["startTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/turns/{tid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
                tid: components["parameters"]["TurnId"];
            };
            cookie?: never;
        };
        /** Read a turn with all that was said in it */
        get: operations["getTurn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/turns/{tid}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
                tid: components["parameters"]["TurnId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add to what the agent says in the open turn
         * @description Readers get it as `message.delta`. Texts of one turn that come in while a commit is in flight go into the
         *     next commit together; each is answered once it is kept. A text with an Idempotency-Key is committed alone.
         *     Send the next text after the answer to the last, or the order is anybody's. With `host_id` it is refused
         *     unless that host is the attached one: who was replaced no longer speaks.
         */
        post: operations["sayInTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/turns/{tid}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
                tid: components["parameters"]["TurnId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End the turn, as its host
         * @description Refused while a batch is open. The same reason again is accepted. With `host_id` it is refused unless that host
         *     is the attached one.
         */
        post: operations["completeTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/turns/{tid}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
                tid: components["parameters"]["TurnId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Abort the turn's open batch and end the turn
         * @description One commit. A turn that has ended is answered unchanged. Hosts learn of it by `call.cancelled` and `turn.completed`.
         */
        post: operations["cancelTurn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/batches": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /** List the session's batches, newest first */
        get: operations["listBatches"];
        put?: never;
        /**
         * Submit the tool calls of one model response
         * @description Either `calls` (format native) or `format` with `message`, the provider's assistant message as it came, and
         *     its finish reason where that stands beside the message. In the runtimes core and headless the answer holds
         *     every decision already.
         */
        post: operations["submitBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/batches/{bid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        /** Read a batch, or wait for its end */
        get: operations["getBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/batches/{bid}/claims": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take dispatched calls for a host
         * @description Exactly one of `call_ids` (each names its first position) and `positions`. A claim decides the call again
         *     where the policy changed since. The same host asking again gets the same answer.
         */
        post: operations["claimCalls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/batches/{bid}/results": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what the host's tools answered
         * @description All or nothing. The same result again is accepted, a different one is refused. A result for an unclaimed
         *     call claims it first.
         */
        post: operations["reportResults"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/batches/{bid}/progress": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say how a running call gets on, or ask for more time
         * @description By who claimed the call. `extend_s` counts from now and never shortens the time; in all a call runs for at
         *     most a day. A text that comes within a second of the call's last one, or after a thousand, is dropped (`told`
         *     says so). Readers get what counts as `call.progress`.
         */
        post: operations["reportProgress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/batches/{bid}/abort": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel what of a batch has not ended
         * @description A batch that has ended is answered unchanged. Open approvals are cancelled.
         */
        post: operations["abortBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/batches/{bid}/next-request": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        /**
         * Render the follow-up for the next model request
         * @description Only the follow-up, never the assistant message. The same batch gives the same bytes every time. Without a
         *     format the one the batch came in.
         */
        get: operations["getNextRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what would become of calls, and why
         * @description Takes what a batch takes and goes the way of one that is sent now, with none open, up to where calls would
         *     start: duplicates, loops, the plan boundary, deny rules, lookup, arguments, ask, allow and mode. Every subject is
         *     shown as rules see it and with what they say of it alone; the strictest decides. Nothing changes, nobody is
         *     asked, and nothing is remembered but the answer to an Idempotency-Key. A headless budget and what calls of the
         *     batch do to those behind them are not foretold.
         */
        post: operations["explainCalls"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/model-requests": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check what the host is about to send to its model
         * @description Compares the end of a conversation with a batch that has ended: every call answered exactly once, in the place
         *     and order that the provider wants, in the ledger's words, the reminder whole, denials there, nothing unknown.
         *     `messages` is the provider's own list (`messages`, `input` or `contents`; for native the results), whole or
         *     from the batch's follow-up on. What comes out is also an event, `model_request.checked`. Neither holds any of
         *     the text. At most 64 violations are named.
         */
        post: operations["checkModelRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tenant's approvals, oldest first */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{aid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example apr_b0123_01JZ5X9A2B */
                aid: components["parameters"]["ApprovalId"];
            };
            cookie?: never;
        };
        /** Read an approval */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/approvals/{aid}/respond": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example apr_b0123_01JZ5X9A2B */
                aid: components["parameters"]["ApprovalId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer an approval, as a person
         * @description The first answer wins; a later one is told who answered, and what. Where several people have to approve
         *     (`required`), an approving answer is a vote: the approval is answered as it stands, still pending until the last
         *     one, and one rejection ends it. What then holds is the strictest option that was given.
         */
        post: operations["respondApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/rpc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The same use cases as JSON-RPC 2.0
         * @description One request or a list of at most 32: `harness.v1.approvals.list`, `harness.v1.approvals.resolve`,
         *     `harness.v1.runtimes.respond`, `harness.v1.runtimes.interrupt` (docs/rpc.md has their parameters). What is
         *     wrong with the JSON or the call is a JSON-RPC error in a 200; 204 answers notifications only. Each method has
         *     the roles and the limits of its route: each call of a list counts as a request, and one too many is the error
         *     -32011 with `data.retry_after` (seconds). An Idempotency-Key counts for each call of a list by its place.
         */
        post: operations["callRPC"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Follow the session's events
         * @description Server-sent events. A frame has `id`, `event` and one `data` line: an `Event` whose `data` is the schema
         *     that `x-event-data` names for its type. Resume with `Last-Event-ID`, else `after`. When the log can't continue
         *     from the cursor a `stream.reset` says why, and a `session.snapshot` gives the state that the events after it
         *     build on; a `stream.error` says why a stream ends early. They stand outside the log: `stream.*` has no
         *     id and no `seq`, and a snapshot's are those of the last event that it includes.
         *
         *     With `host_id` and `fence` of an attached host the open stream renews its lease, and ends when there is
         *     nothing to renew any more. That shows only that the connection stands: a machine that vanishes without
         *     closing it is noticed when writes to it fail. A host that has to be missed within its lease sends
         *     heartbeats.
         */
        get: operations["streamEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow all of the tenant's sessions
         * @description Server-sent events of all the tenant's sessions in one stream, of the types in `x-event-data` only: what an
         *     overview and an inbox need. A frame's data is a `TenantEvent`. Without a cursor the stream begins with
         *     `tenant.snapshot`: the sessions with open approvals, and these. The events of a session come in order, those
         *     of different sessions in any. The id is opaque: a place in all the logs that the stream is made of. A
         *     `stream.reset`, as in streamEvents, is followed by a `tenant.snapshot`.
         */
        get: operations["streamTenantEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/stream-tickets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a ticket that opens the session's stream once
         * @description For an EventSource, which can send no key. The stream that it opens has the rights of the caller who made it,
         *     and ends with them. To come back, make a new one and give `after`. Each request makes another ticket, whatever
         *     its Idempotency-Key.
         */
        post: operations["createStreamTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/stream-tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a ticket that opens the tenant's stream once
         * @description As createStreamTicket, for `GET /v1/events`.
         */
        post: operations["createTenantStreamTicket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say who the request is
         * @description With a cookie its `csrf_token` too, for a page that was loaded anew.
         */
        get: operations["getSignIn"];
        put?: never;
        /**
         * Sign a browser in
         * @description With a key or token as `Authorization: Bearer`. The answer sets a cookie that stands for it, with the rights
         *     that the key has at each moment, for 12 hours at most: HttpOnly, SameSite=Strict, Secure except on loopback
         *     without TLS. Writes with the cookie carry the answer's `csrf_token` as `X-CSRF-Token`. Each request signs in
         *     once more, whatever its Idempotency-Key; a key or person has 20 sign-ins at once, then the oldest ends.
         */
        post: operations["signIn"];
        /**
         * Sign the browser out
         * @description Without a cookie there is nothing to end. Streams that are open stay so.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/outputs/{ref}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @description The `output_ref` of a result. */
                ref: string;
            };
            cookie?: never;
        };
        /** Read a page of a stored output */
        get: operations["getOutput"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sid}/transcript": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        /**
         * Download the session's terminal batches, oldest first
         * @description NDJSON; every line is a `TranscriptLine`.
         */
        get: operations["getTranscript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the tenant's audit log
         * @description NDJSON; every line is an `AuditLine`: an entry, or a seal that proves the entries before it. Of the tenant's 16
         *     logs one after the other, each in order. `gateway audit verify` checks it (docs/audit.md). What is older than
         *     the deployment's retention is gone: fetch it more often than that.
         */
        get: operations["getAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tenants that the key administers
         * @description An operator's key is told all of them, by id; an admin's its own.
         */
        get: operations["listTenants"];
        put?: never;
        /**
         * Create a tenant
         * @description It has no keys yet. For operators only.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tenants/{tenant}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        /** Read a tenant */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        /**
         * Erase a tenant
         * @description From the answer on nobody speaks for the tenant: its keys are dead on every replica within a second. All that
         *     Redis holds of it is removed in the background; the tenant is a 404 when nothing is left. For operators only.
         */
        delete: operations["deleteTenant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tenants/{tenant}/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        /**
         * Download all that there is of a tenant
         * @description NDJSON; every line is an `ExportLine`: the tenant, its settings, its keys (nothing secret), then each session
         *     with its turns, its ended batches, the outputs that it keeps and its retained events, then the audit log. An
         *     export that ends without its last lines was cut off: the connection tells.
         */
        get: operations["exportTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tenants/{tenant}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        /**
         * Read what a tenant has set
         * @description The secrets of hooks are left out.
         */
        get: operations["getTenantSettings"];
        /**
         * Replace what a tenant has set
         * @description What is left out is unset. A hook that is there already keeps its secret if none is given. They hold on every
         *     replica within a second, from the next decision on. `If-Match` holds the revision that is replaced.
         */
        put: operations["putTenantSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tenants/{tenant}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        /**
         * List a tenant's keys
         * @description Expired and revoked ones too, as long as they are remembered. Neither secrets nor digests are told.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description The answer has the key itself, which is stored nowhere and told this once. An answer that is repeated for its
         *     Idempotency-Key is without it: whoever lost it rotates the key. Only an operator gives the role `operator`.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tenants/{tenant}/keys/{kid}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
                /** @example ci */
                kid: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a key another secret
         * @description The secret before it stays good for `overlap_s`. As with a new key, the answer has the key itself once.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/tenants/{tenant}/keys/{kid}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
                /** @example ci */
                kid: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description It is dead on every replica within a second, its open streams end by their next heartbeat.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the process alive? */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Can it serve? */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this replica counts
         * @description In the text format of Prometheus; docs/operations.md lists what there is. Nothing in it names a tenant, a session
         *     or a person. A proxy that faces the public should not pass it on.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.yaml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getContract"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        SessionSpec: {
            runtime?: components["schemas"]["Runtime"];
            /**
             * @description The SDK variant of the reminder.
             * @default false
             */
            sdk?: boolean;
            agent?: components["schemas"]["Agent"];
            parent_session_id?: string | null;
            approval_mode?: components["schemas"]["Mode"];
            /** @default false */
            approval_mode_locked?: boolean;
            /**
             * @description What plan mode does with shell commands. Without it the parent's, else the tenant's, else `deny`; a tenant
             *     or parent that denies them is not overruled. A key that is only a host's can't choose `read_only`.
             */
            plan_shell?: components["schemas"]["PlanShell"];
            /**
             * @description Where the host works; absolute. Relative paths are read against it.
             * @default /
             */
            cwd?: string;
            modules?: {
                /** @default true */
                plan_mode?: boolean;
            };
            /**
             * @description Who can be asked. Default none for headless, else frontend.
             * @enum {string}
             */
            approvals?: "frontend" | "none";
            approvers?: components["schemas"]["ApprovalPolicy"] | null;
            /**
             * @description 0: until the session ends.
             * @default 1800
             */
            approval_timeout_s?: number;
            /** @default 300 */
            claim_timeout_s?: number;
            tools?: components["schemas"]["ToolSpecs"];
            rules?: components["schemas"]["Rules"];
            structured_output?: {
                schema: components["schemas"]["JSONSchema"];
            } | null;
            /** @description Headless budget; null or -1: unlimited. */
            max_tool_calls?: number | null;
            loop?: {
                /** @default 5 */
                identical_calls?: number;
                /** @default 1000 */
                calls_per_turn?: number;
            };
            limits?: {
                /** @default 25000 */
                tool_output_chars?: number;
                /** @default 200000 */
                batch_output_chars?: number;
            };
            labels?: components["schemas"]["Labels"];
            /** @default 86400 */
            idle_ttl_s?: number;
        };
        /**
         * @description Who may answer approvals, and how many people have to approve. It is captured when the question is put. Keys
         *     without a subject can't answer where the policy says more than its defaults.
         */
        ApprovalPolicy: {
            /**
             * @description Distinct subjects that have to approve.
             * @default 1
             */
            min?: number;
            /** @description Only who has one of these roles, or is one of `subjects`. An admin has all. */
            roles?: ("frontend" | "admin")[];
            subjects?: string[];
            /**
             * @description Whoever runs the host can't answer for it.
             * @default false
             */
            four_eyes?: boolean;
        };
        SessionPatch: {
            labels: components["schemas"]["Labels"];
        };
        /** @description Keys of 1 to 64 letters, digits, `_`, `.`, `/` and `-`. */
        Labels: {
            [key: string]: string;
        };
        ToolsReplacement: {
            tools?: components["schemas"]["ToolSpecs"];
        };
        ToolSpecs: components["schemas"]["ToolSpec"][];
        ToolSpec: {
            name: components["schemas"]["ToolName"];
            /** @default  */
            description?: string;
            aliases?: components["schemas"]["ToolName"][];
            kind?: components["schemas"]["Kind"];
            /** @default false */
            read_only?: boolean;
            input_schema?: components["schemas"]["JSONSchema"];
            /** @default false */
            agent?: boolean;
            /** @default 600 */
            timeout_s?: number;
            max_output_chars?: components["schemas"]["OutputLimit"];
            subjects?: components["schemas"]["Subjects"];
        };
        ToolName: string;
        /** @description A JSON Schema of at most 64 KiB and depth 32, with references inside the document only. */
        JSONSchema: Record<string, unknown>;
        /** @description A number of characters, or `unlimited`. */
        OutputLimit: number | "unlimited";
        /** @description JSON pointers, `*` for every element, to the arguments that rules look at. */
        Subjects: {
            path?: components["schemas"]["Pointers"];
            command?: components["schemas"]["Pointers"];
            url?: components["schemas"]["Pointers"];
        };
        Pointers: string[];
        /** @description At most 2000 patterns in all, of at most 512 bytes each; one that doesn't parse is refused. */
        Rules: {
            deny?: components["schemas"]["Patterns"];
            ask?: components["schemas"]["Patterns"];
            allow?: components["schemas"]["Patterns"];
        };
        Patterns: string[];
        ModeChange: {
            mode: components["schemas"]["Mode"];
        };
        /** @description Exactly one of the two. */
        PlanPatch: {
            append?: string;
            text?: string;
        };
        TurnStart: {
            /** @description Content items, of at most 256 KiB in all. They are the host's to understand and reach it as they came. */
            input: Record<string, unknown>[];
        };
        Message: {
            /** @description At most 64 KiB of UTF-8. */
            text: string;
            host_id?: components["schemas"]["GivenId"];
            /** @description Of `host_id`'s attachment. Goes with it. */
            fence?: components["schemas"]["Fence"];
        };
        TurnCompletion: {
            stop_reason: components["schemas"]["TurnCompletionStopReason"];
            host_id?: components["schemas"]["GivenId"];
            /** @description Of `host_id`'s attachment. Goes with it. */
            fence?: components["schemas"]["Fence"];
        };
        /**
         * @description The Agent Client Protocol's stop reasons, and an error of the host's own.
         * @enum {string}
         */
        TurnCompletionStopReason: "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled" | "error";
        ModelRequest: {
            format: components["schemas"]["Format"];
            batch_id: string;
            /** @description The provider's own list, as it will be sent. */
            messages: Record<string, unknown>[];
        };
        /** @description A request, or a list of 1 to 32. What else comes is answered as JSON-RPC says. */
        RPCRequests: components["schemas"]["RPCRequest"] | components["schemas"]["RPCRequest"][];
        RPCRequest: {
            /** @enum {string} */
            jsonrpc: "2.0";
            /** @description A text or a number of at most 128 bytes; without one it is a notification. */
            id?: unknown;
            /** @enum {string} */
            method: "harness.v1.approvals.list" | "harness.v1.approvals.resolve" | "harness.v1.runtimes.respond" | "harness.v1.runtimes.interrupt";
            /** @description By name; see docs/rpc.md. */
            params?: Record<string, unknown>;
        };
        /**
         * @description Either `calls`, with no format or `native`, or `format` and `message`, with `finish_reason` or `finishReason`
         *     where the provider puts it beside the message.
         */
        BatchSubmission: {
            turn_id?: components["schemas"]["GivenId"];
            host_id?: components["schemas"]["GivenId"];
            /** @description Of `host_id`'s attachment. Goes with it. */
            fence?: components["schemas"]["Fence"];
            /**
             * @description At most 64 KiB, opaque: which model and content generator serve this batch, say. Hosts read it in the batch
             *     and in their claims while a call is open; it goes with the last of them. No event, result, transcript or
             *     stored answer has it.
             */
            runtime_view?: Record<string, unknown>;
            /** @description The model response's own id. Some servers give an empty one, which counts as none. */
            response_id?: string | null;
            /** @description Fewer or more are the problems `no_tool_calls` and `too_many_calls`. */
            calls?: components["schemas"]["NativeCall"][];
            format?: components["schemas"]["Format"];
            /** @description The provider's assistant message, kept as it came; members that we don't know are fine. */
            message?: Record<string, unknown>;
            finish_reason?: string | null;
            finishReason?: string | null;
        };
        NativeCall: {
            /** @description Missing or empty the gateway gives one. */
            id?: string | null;
            name: string;
            /**
             * @description At most 1 MiB. Anything is taken and judged with the call: what is not an object ends as
             *     `invalid_tool_params`. Absent counts as `{}`.
             */
            arguments?: unknown;
            /** @description At most 64 KiB. As the batch's, for this call alone; it goes when the call ends. */
            runtime_view?: Record<string, unknown>;
        };
        GivenId: string | null;
        ClaimRequest: {
            host_id: components["schemas"]["HostId"];
            fence?: components["schemas"]["Fence"];
            call_ids?: string[];
            positions?: number[];
        };
        HostId: string;
        /** @description What a host is called that attaches. */
        AttachedHostId: string;
        /**
         * Format: int64
         * @description Counts the attachments of a session: 1, 2, 3…
         */
        Fence: number;
        Attachment: {
            host_id: components["schemas"]["AttachedHostId"];
            /** @description At most 8 KiB, opaque; readers are told it. */
            capabilities?: Record<string, unknown>;
            /**
             * @description How long the lease lasts after each renewal.
             * @default 30
             */
            ttl_s?: number;
        };
        Heartbeat: {
            fence: components["schemas"]["Fence"];
        };
        /** @description Exactly one of `call_id` and `position`; at least one of `text` and `extend_s`. */
        ProgressReport: {
            /** @description Names the first position with this id. */
            call_id?: string;
            position?: number;
            host_id?: components["schemas"]["GivenId"];
            fence?: components["schemas"]["Fence"];
            /** @description For people. At most 4 KiB. */
            text?: string;
            /** @description How much longer from now. */
            extend_s?: number;
        };
        ResultReport: {
            host_id?: components["schemas"]["GivenId"];
            fence?: components["schemas"]["Fence"];
            results: components["schemas"]["HostResult"][];
        };
        /** @description Exactly one of `call_id` and `position`. An `error` goes with status error only. */
        HostResult: {
            /** @description Names the first position with this id. */
            call_id?: string;
            position?: number;
            /** @enum {string} */
            status: "success" | "error";
            /** @description At most 4 MiB of UTF-8. */
            output: string;
            error?: {
                message: string;
            };
        };
        ApprovalResponse: {
            /** @enum {string} */
            option_id: "allow_once" | "allow_session" | "reject" | "restore_previous" | "auto_edit" | "default";
            /** @description Told to the model; with reject. */
            feedback?: string | null;
            /** @description The plan that the person saw. */
            plan_sha256?: string | null;
        };
        /** @enum {string} */
        Runtime: "core" | "acp" | "headless";
        /** @enum {string} */
        Agent: "main" | "subagent" | "teammate";
        /** @enum {string} */
        Approver: "frontend" | "none";
        /** @enum {string} */
        Mode: "plan" | "default" | "auto_edit" | "yolo";
        /**
         * @description `deny`: all are denied. `read_only`: those that provably only read go on to ask and allow rules.
         * @enum {string}
         */
        PlanShell: "deny" | "read_only";
        /** @enum {string} */
        Kind: "read" | "edit" | "delete" | "move" | "search" | "execute" | "think" | "fetch" | "switch_mode" | "other";
        /** @enum {string} */
        Format: "native" | "anthropic" | "openai_chat" | "openai_responses" | "gemini";
        /** @description RFC 3339, UTC, milliseconds. */
        Timestamp: string;
        NullableTimestamp: string | null;
        Name: string | null;
        /** @description The session as routes answer it. */
        SessionDocument: WithRequired<components["schemas"]["SessionSummary"], "tools" | "rules" | "last_event_id">;
        /** @description The session as events carry it, without tools, rules and, but in a tenant's snapshot, the last event's id. */
        SessionSummary: {
            id: string;
            tenant: string;
            /** @enum {string} */
            status: "active" | "closed";
            runtime: components["schemas"]["Runtime"];
            sdk: boolean;
            agent: components["schemas"]["Agent"];
            parent_session_id: components["schemas"]["Name"];
            approval_mode: components["schemas"]["Mode"];
            effective_mode: components["schemas"]["Mode"];
            approval_mode_locked: boolean;
            /**
             * @description Null: as the tenant says.
             * @enum {string|null}
             */
            plan_shell: "deny" | "read_only" | null;
            /** @enum {string|null} */
            previous_mode: "plan" | "default" | "auto_edit" | "yolo" | null;
            mode_revision: number;
            cwd: string;
            modules: {
                plan_mode: boolean;
            };
            approvals: components["schemas"]["Approver"];
            /** @description The session's own policy; the tenant's and those of the sessions above it hold too. */
            approvers: components["schemas"]["ApprovalPolicy"] | null;
            approval_timeout_s: number;
            claim_timeout_s: number;
            tools?: components["schemas"]["ToolDeclaration"][];
            tools_revision: number;
            rules?: components["schemas"]["RuleSet"];
            rules_revision: number;
            structured_output: {
                schema: Record<string, unknown>;
            } | null;
            max_tool_calls: number | null;
            tool_calls_used: number;
            loop: {
                identical_calls: number;
                calls_per_turn: number;
            };
            limits: {
                tool_output_chars: number;
                batch_output_chars: number;
            };
            labels: {
                [key: string]: string;
            };
            idle_ttl_s: number;
            plan: components["schemas"]["PlanState"];
            open_turn_id: components["schemas"]["Name"];
            open_batch_id: components["schemas"]["Name"];
            open_approvals: string[];
            hosts: string[];
            last_event_id?: string;
            created_at: components["schemas"]["Timestamp"];
            updated_at: components["schemas"]["Timestamp"];
            closed_at?: components["schemas"]["Timestamp"];
        };
        PlanState: {
            /** @description The session's own mode is plan. */
            active: boolean;
            /** @description An ancestor's mode is plan. */
            inherited: boolean;
            text: string;
            revision: number;
            entered_by: components["schemas"]["Name"];
            entered_at: components["schemas"]["NullableTimestamp"];
        };
        ToolDeclaration: {
            name: string;
            description: string;
            aliases: string[];
            kind: components["schemas"]["Kind"];
            read_only: boolean;
            input_schema: Record<string, unknown>;
            agent: boolean;
            timeout_s: number;
            max_output_chars?: components["schemas"]["OutputLimit"];
            subjects?: components["schemas"]["Subjects"];
        };
        RuleSet: {
            deny: string[];
            ask: string[];
            allow: string[];
        };
        SessionPage: {
            data: components["schemas"]["SessionDocument"][];
            next_cursor: components["schemas"]["Name"];
        };
        Advertisement: {
            format: components["schemas"]["Format"];
            revision: number;
            /** @description Declarations in the format's own shape. */
            tools: Record<string, unknown>[];
        };
        Plan: {
            active: boolean;
            inherited: boolean;
            text: string;
            revision: number;
            /** @description The exact text that this session's model is given on entry. */
            reminder: string;
            last_approved: {
                text: string;
                by: string;
                at: components["schemas"]["Timestamp"];
            } | null;
        };
        Grant: {
            id: string;
            tool: string;
            subject: string;
            granted_by: string;
            granted_at: components["schemas"]["Timestamp"];
        };
        GrantPage: {
            data: components["schemas"]["Grant"][];
            next_cursor: components["schemas"]["Name"];
        };
        /** @description Input, notices, reminder and text are left out where only the turn's state is told. */
        Turn: {
            id: string;
            session_id: string;
            /** @enum {string} */
            status: "open" | "completed";
            /**
             * @description As the host said; timed_out and session_closed are the gateway's.
             * @enum {string|null}
             */
            stop_reason: "end_turn" | "max_tokens" | "max_turn_requests" | "refusal" | "cancelled" | "error" | "timed_out" | "session_closed" | null;
            /** @description Who prompted. */
            by: string;
            input?: Record<string, unknown>[];
            /** @description Items are left out: the turn has them all. */
            input_preview?: boolean;
            notices?: string[];
            /** @description The plan reminder; there when plan mode was on at the start. */
            reminder?: string;
            /** @description All that was said. */
            text?: string;
            text_bytes: number;
            started_at: components["schemas"]["Timestamp"];
            completed_at: components["schemas"]["NullableTimestamp"];
        };
        TurnPage: {
            data: components["schemas"]["Turn"][];
            next_cursor: components["schemas"]["Name"];
        };
        Said: {
            turn_id: string;
            text_bytes: number;
        };
        Explanation: {
            /** @description In effect: the strictest of the session's and its ancestors'. */
            mode: components["schemas"]["Mode"];
            mode_revision: number;
            calls: components["schemas"]["ExplainedCall"][];
        };
        ExplainedCall: {
            position: number;
            id: string;
            name: string;
            /** @description Its canonical name. */
            tool: string;
            kind: components["schemas"]["Kind"];
            /**
             * @description `runs`: it may start. `asks`: a person is asked. `asks_hooks`: hooks are asked first, then a person if the
             *     decision or a hook says so. `ends`: it ends before anything of it starts, with `reason` and `message`.
             * @enum {string}
             */
            outcome: "runs" | "asks" | "asks_hooks" | "ends";
            /** @description As in a result. */
            reason: string | null;
            /** @description What the model would be told. */
            message: string | null;
            duplicate_of: number | null;
            duplicate_of_batch: string | null;
            decision: components["schemas"]["Decision"];
            /** @description The commands that a shell text consists of. */
            parts: string[];
            /**
             * @description What rules look at: subjects, parts of commands, redirects, file arguments. A call that is about several
             *     things is judged by the strictest.
             */
            subjects: components["schemas"]["ExplainedSubject"][];
            /** @description How many more there are. */
            subjects_omitted: number;
        };
        ExplainedSubject: {
            /** @enum {string} */
            type: "path" | "command" | "url" | "none";
            /** @description As it is written, cut at 4096 bytes. */
            text: string;
            /** @description The pseudo-tool that it is judged under: read, write, execute, fetch, other; empty for thinking. */
            as: string;
            /** @description What deny and ask rules are compared with. */
            views: string[];
            /**
             * @description How much of it rules can see: `seen`; `unknown` (missing, or to be read in other ways); `opaque` (runs what
             *     can't be seen); `unparsed` (no shell would take it); `overflow` (beyond a limit).
             * @enum {string}
             */
            clarity: "seen" | "unknown" | "opaque" | "unparsed" | "overflow";
            /** @description Only deny and ask rules look at it. */
            guards: boolean;
            decision: components["schemas"]["Decision"];
        };
        ModelRequestCheck: {
            batch_id: string;
            format: components["schemas"]["Format"];
            /** @enum {string} */
            verdict: "conforming" | "violations";
            violations: {
                /** @enum {string} */
                code: "missing_result" | "unknown_id" | "duplicate_result" | "wrong_order" | "misplaced" | "wrong_kind" | "malformed" | "result_altered" | "reminder_incomplete" | "denial_missing" | "notice_missing";
                call_id?: string;
                position?: number;
                detail: string;
            }[];
        };
        RPCResponses: components["schemas"]["RPCResponse"] | components["schemas"]["RPCResponse"][];
        /** @description Either `result` or `error`. */
        RPCResponse: {
            /** @enum {string} */
            jsonrpc: "2.0";
            /** @description The request's; null when it could not be read. */
            id: unknown;
            result?: Record<string, unknown>;
            error?: {
                code: number;
                message: string;
                /** @description What the route's problem would have, its code first of all. */
                data?: {
                    code?: components["schemas"]["Code"];
                };
            };
        };
        Batch: {
            id: string;
            session_id: string;
            turn_id: components["schemas"]["Name"];
            host_id: components["schemas"]["Name"];
            response_id: components["schemas"]["Name"];
            format: components["schemas"]["Format"];
            /** @enum {string} */
            status: "running" | "completed" | "aborted";
            /** @description Why the batch ended a turn; speaks of this batch only. */
            stop: {
                /** @enum {string} */
                reason: "loop_detected" | "structured_output" | "turn_stopped" | "max_tool_calls" | "aborted" | "session_closed";
                /** @description The structured answer. */
                value?: unknown;
                /**
                 * @description Headless only.
                 * @enum {integer}
                 */
                exit_code?: 0 | 1 | 55 | 130;
            } | null;
            calls: components["schemas"]["Call"][];
            calls_sha256: string;
            /** @description While a call is open, for callers with the role host. */
            runtime_view?: Record<string, unknown>;
            offloaded?: {
                position: number;
                output_ref: string;
                /** @description In characters. */
                size: number;
            }[];
            created_at: components["schemas"]["Timestamp"];
            completed_at: components["schemas"]["NullableTimestamp"];
        };
        BatchPage: {
            data: components["schemas"]["Batch"][];
            next_cursor: components["schemas"]["Name"];
        };
        Call: {
            position: number;
            id: string;
            /** @description The model gave no id. */
            id_assigned: boolean;
            /** @description As the model wrote it. */
            name: string;
            /** @description The canonical name. */
            tool: string;
            /** @description While open. The JSON as it came, or its text as a string when it is not JSON. */
            arguments?: unknown;
            /** @description In large events: the batch holds the whole. */
            arguments_preview?: boolean;
            /** @description While open. */
            timeout_s?: number;
            /** @description While open, for callers with the role host. In a granted claim also the batch's, where the call has none. */
            runtime_view?: Record<string, unknown>;
            /** @description While open, where the gateway exports traces: the W3C trace context that a host goes on from. */
            traceparent?: string;
            /** @enum {string} */
            state: "queued" | "awaiting_hook" | "awaiting_approval" | "dispatched" | "claimed" | "done";
            host_id?: string;
            approval_id?: string;
            decision: components["schemas"]["Decision"];
            result?: components["schemas"]["Result"];
            /** @description What next-request uses instead of the result's output. */
            rendered?: {
                output: string;
                output_ref: string;
            };
        };
        /** @description Null until rules are reached. */
        Decision: {
            /** @enum {string} */
            effect: "deny" | "ask" | "allow";
            /** @enum {string} */
            tier: "deny" | "ask" | "allow" | "mode";
            pattern: string | null;
            /** @enum {string} */
            source: "tenant" | "ancestor" | "session" | "plan_mode" | "mode" | "grant";
            mode_revision: number;
        } | null;
        /** @description The one terminal result of a call. */
        Result: {
            position: number;
            call_id: string;
            name: string;
            tool: string;
            /** @enum {string} */
            status: "success" | "error" | "cancelled";
            /** @enum {string} */
            execution_status: "success" | "error" | "not_started" | "unknown";
            reason: components["schemas"]["Reason"];
            error: {
                /** @enum {string} */
                type: "UNKNOWN" | "EXECUTION_DENIED" | "EXECUTION_FAILED" | "EXECUTION_TIMEOUT" | "INVALID_TOOL_PARAMS" | "TOOL_NOT_REGISTERED" | "OUTPUT_TRUNCATED";
                message: string;
            } | null;
            /** @description What the model reads. */
            output: string;
            /** @description In large events: the batch holds the whole. */
            output_preview?: boolean;
            output_ref: string | null;
            truncated: boolean;
            duplicate_of: number | null;
            duplicate_of_batch: string | null;
            decision: components["schemas"]["Decision"];
            started_at: components["schemas"]["NullableTimestamp"];
            finished_at: components["schemas"]["Timestamp"];
        };
        /**
         * @description Why a call ended as it did; null for a plain success.
         * @enum {string|null}
         */
        Reason: null | "plan_not_entered_yolo" | "plan_unavailable" | "plan_transition_failed" | "structured_output_precedence" | "plan_not_owned" | "plan_boundary" | "loop_detected" | "permission_denied" | "plan_mode_denied" | "plan_not_active" | "approval_rejected" | "approval_expired" | "approval_unavailable" | "approval_stale" | "hook_denied" | "max_tool_calls" | "turn_stopped" | "duplicate_call" | "invalid_tool_params" | "tool_not_registered" | "output_truncated" | "host_error" | "host_timeout" | "host_lost" | "host_unavailable" | "aborted" | "session_closed";
        Claims: {
            claims: components["schemas"]["Claim"][];
        };
        Claim: {
            position: number;
            granted: boolean;
            /** @description The host that has it instead. */
            held_by?: string;
            call: components["schemas"]["Call"];
        };
        Host: {
            host_id: components["schemas"]["AttachedHostId"];
            fence: components["schemas"]["Fence"];
            /** @description The host's own words. */
            capabilities: Record<string, unknown> | null;
            ttl_s: number;
            attached_at: components["schemas"]["Timestamp"];
            expires_at: components["schemas"]["Timestamp"];
        };
        HostPage: {
            data: components["schemas"]["Host"][];
            next_cursor: components["schemas"]["Name"];
        };
        Renewal: {
            host_id: components["schemas"]["AttachedHostId"];
            fence: components["schemas"]["Fence"];
            ttl_s: number;
            expires_at: components["schemas"]["Timestamp"];
        };
        Progress: {
            position: number;
            call_id: string;
            deadline: components["schemas"]["NullableTimestamp"];
            /** @description The text was passed on. */
            told: boolean;
        };
        /** @description The follow-up in the format's own shape. */
        NextRequest: {
            format: components["schemas"]["Format"];
            /** @description anthropic, openai_chat. */
            messages?: Record<string, unknown>[];
            /** @description openai_responses. */
            input?: Record<string, unknown>[];
            /** @description gemini. */
            contents?: Record<string, unknown>[];
            /** @description native. */
            results?: components["schemas"]["Result"][];
            /** @description What the model is told besides results; also placed where the provider takes text. */
            notices: string[];
            /** @description Ids that the host has to put into its copy of the assistant message. */
            assigned_ids?: {
                position: number;
                id: string;
            }[];
        };
        Approval: {
            id: string;
            session_id: string;
            batch_id: string;
            call_id: string;
            position: number;
            tool: string;
            /** @enum {string} */
            kind: "tool" | "plan_exit";
            subject: string;
            /** @description As the model wrote them. */
            arguments: unknown;
            arguments_preview?: boolean;
            /** @description The plan that is to be approved, as it was when the question was put. */
            plan?: {
                text: string;
                sha256: string;
                revision: number;
                previous_mode: components["schemas"]["Mode"];
            };
            mode_revision: number;
            options: {
                /** @enum {string} */
                id: "allow_once" | "allow_session" | "reject" | "restore_previous" | "auto_edit" | "default";
                /** @enum {string} */
                kind: "allow_once" | "allow_always" | "reject_once";
                label: string;
            }[];
            /** @enum {string} */
            status: "pending" | "approved" | "rejected" | "expired" | "cancelled" | "stale";
            requested_at: components["schemas"]["Timestamp"];
            expires_at: components["schemas"]["NullableTimestamp"];
            resolved_at: components["schemas"]["NullableTimestamp"];
            /** @description Who gave the answer that ended it. */
            resolved_by: string | null;
            /** @description What holds: the strictest of the options that people approved with. */
            option_id: string | null;
            feedback: string | null;
            /** @description How many people have to approve; one rejection ends it. */
            required: number;
            /** @description The answers so far, in the order in which they came. */
            votes: components["schemas"]["Vote"][];
        };
        Vote: {
            by: string;
            option_id: string;
            feedback: string | null;
            at: components["schemas"]["Timestamp"];
        };
        ApprovalPage: {
            data: components["schemas"]["Approval"][];
            next_cursor: components["schemas"]["Name"];
        };
        /** @description Offsets and totals are in characters. */
        OutputPage: {
            text: string;
            offset: number;
            next_offset: number | null;
            total: number;
        };
        /** @description One line of `getAudit`; `entry` or `seal`. */
        AuditLine: {
            /** @description The bucket whose log it is. */
            log: string;
            /** @description Its place in the log: Unix milliseconds and a count. */
            id: string;
            entry?: {
                time: components["schemas"]["Timestamp"];
                session_id?: string;
                /** @description The last event of the session behind this: its seq and its whole hash. */
                head?: string;
                /** @description Whose act it is: subject and the id of the key. Empty: time that passed. */
                actor: Record<string, unknown>;
                /** @description What was done; docs/audit.md has the types. */
                acts: Record<string, unknown>[];
            };
            seal?: {
                time: components["schemas"]["Timestamp"];
                /** @description The sum of the seal before it. */
                prev: string;
                /** @description The id and the SHA-256 of each entry that it proves. */
                entries: Record<string, unknown>[];
                sum: string;
                /** @description HMAC-SHA256 over `sum` with the deployment's audit key. */
                mac?: string;
                key_id?: string;
            };
        };
        TranscriptLine: {
            batch_id: string;
            turn_id: components["schemas"]["Name"];
            format: components["schemas"]["Format"];
            /** @description As it came; null for native. */
            message: unknown;
            results: components["schemas"]["Result"][];
            notices: string[];
        };
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        Readiness: {
            /** @enum {string} */
            status: "ready" | "not_ready";
            /** @enum {string} */
            store: "embedded" | "redis";
            /** @description A restart forgets everything. */
            volatile: boolean;
            detail?: string;
        };
        Event: {
            /** @description Counts 1, 2, 3… without gaps; missing in `stream.*` only. */
            seq?: number;
            /** @enum {string} */
            type: "session.created" | "session.updated" | "session.closed" | "session.snapshot" | "stream.reset" | "stream.error" | "mode.changed" | "plan.entered" | "plan.updated" | "plan.exited" | "turn.started" | "message.delta" | "turn.completed" | "model_request.checked" | "host.attached" | "host.lost" | "batch.started" | "batch.completed" | "call.dispatched" | "call.claimed" | "call.progress" | "call.cancelled" | "call.late" | "call.result" | "hook.requested" | "hook.resolved" | "approval.requested" | "approval.voted" | "approval.resolved";
            session_id: string;
            batch_id?: string;
            time: components["schemas"]["Timestamp"];
            /** @description See `x-event-data` of streamEvents. */
            data: Record<string, unknown>;
        };
        /** @description An event of a session as in its own stream, or what the tenant's stream says about itself. */
        TenantEvent: {
            /** @description The event's place in its session's log. */
            seq?: number;
            /** @enum {string} */
            type: "tenant.snapshot" | "stream.reset" | "stream.error" | "session.created" | "session.updated" | "session.closed" | "batch.completed" | "approval.requested" | "approval.voted" | "approval.resolved";
            session_id?: string;
            batch_id?: string;
            time: components["schemas"]["Timestamp"];
            /** @description See `x-event-data` of streamTenantEvents. */
            data: Record<string, unknown>;
        };
        TurnStarted: {
            turn: components["schemas"]["Turn"];
            /** @description While plan mode is on, own or inherited: what this session's model is to be told. */
            reminder?: string;
            /** @description What the model is to be told once. */
            notices: string[];
        };
        MessageDelta: {
            turn_id: string;
            text: string;
        };
        HostAttached: {
            host_id: string;
            fence: components["schemas"]["Fence"];
            capabilities: Record<string, unknown> | null;
        };
        HostLost: {
            host_id: string;
            fence: components["schemas"]["Fence"];
            /**
             * @description Its lease ran out; a newer one attached; it left; the session ended.
             * @enum {string}
             */
            reason: "expired" | "replaced" | "detached" | "session_closed";
        };
        CallProgress: {
            position: number;
            call_id: string;
            text?: string;
            deadline: components["schemas"]["NullableTimestamp"];
        };
        /** @description A call was put to the tenant's hooks; it waits for all of them. */
        HookRequested: {
            position: number;
            call_id: string;
            tool: string;
            /** @description Their ids. */
            hooks: string[];
            expires_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description A hook gave its verdict on a call, or its time ran out and its silence was taken for one. */
        HookResolved: {
            position: number;
            call_id: string;
            hook: string;
            /** @enum {string} */
            verdict: "pass" | "ask" | "deny";
            timed_out: boolean;
            reason?: string;
        };
        Dispatched: {
            position: number;
            call_id: string;
            name: string;
            tool: string;
            arguments: unknown;
            arguments_preview?: boolean;
            timeout_s: number;
            host_id?: string;
        };
        Claimed: {
            position: number;
            call_id: string;
            host_id: string;
        };
        Cancelled: {
            position: number;
            call_id: string;
            reason: string;
        };
        Late: {
            position: number;
            call_id: string;
        };
        StreamTicket: {
            ticket: string;
            expires_at: components["schemas"]["Timestamp"];
            /** @description The path that it opens, with it; add further parameters with `&`. */
            url: string;
        };
        SignIn: {
            tenant: string;
            subject: string;
            roles: string[];
            expires_at: components["schemas"]["NullableTimestamp"];
            /** @description null without a cookie */
            csrf_token: string | null;
        };
        StreamReset: {
            /**
             * @description Events behind the cursor are gone; the log ends before it; the log holds another history.
             * @enum {string}
             */
            reason: "trimmed" | "ahead" | "diverged";
            /** @description The one that was sent. */
            cursor: string;
        };
        StreamError: {
            /**
             * @description The session is no more; resets follow each other, come back later; an event can't be sent safely.
             * @enum {string}
             */
            reason: "gone" | "unstable" | "corrupt";
        };
        ModeChanged: {
            from: components["schemas"]["Mode"];
            to: components["schemas"]["Mode"];
            by: string;
            mode_revision: number;
        };
        Snapshot: {
            session: components["schemas"]["SessionSummary"];
            open_batch: components["schemas"]["Batch"] | null;
            approvals: components["schemas"]["Approval"][];
        };
        /**
         * @description Who waits for a person. It is bounded: with `truncated` there are more open approvals, from `next_cursor` on
         *     in `GET /v1/approvals?status=pending`. Events after it may be in it already: those of a session up to its
         *     `last_event_id` are.
         */
        TenantSnapshot: {
            sessions: components["schemas"]["SessionSummary"][];
            approvals: components["schemas"]["Approval"][];
            truncated: boolean;
            next_cursor: string | null;
        };
        TenantCreation: {
            id: string;
            /**
             * @description For people.
             * @default
             */
            name?: string;
        };
        Tenant: {
            id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "erasing";
            created_at: components["schemas"]["Timestamp"];
            erasing_at: components["schemas"]["NullableTimestamp"];
            /** @description How many keys are in use. */
            keys: number;
            settings_revision: number;
        };
        TenantPage: {
            data: components["schemas"]["Tenant"][];
            next_cursor: components["schemas"]["Name"];
        };
        /** @enum {string} */
        Role: "viewer" | "frontend" | "host" | "admin" | "operator";
        /** @description The part of the tenant that a key is for; what is outside of it does not exist for the key. */
        Narrow: {
            /** @description One session and those below it. */
            session_id?: string;
            labels?: components["schemas"]["Labels"];
        } | null;
        KeyCreation: {
            /** @description Made up if left out. */
            id?: string;
            /** @description Who it is; answers are recorded under it. */
            subject: string;
            roles: components["schemas"]["Role"][];
            narrow?: components["schemas"]["Narrow"];
            /**
             * Format: date-time
             * @description From then on the key is nobody's.
             */
            expires_at?: string | null;
        };
        KeyRotation: {
            /**
             * @description How long the secret before stays good.
             * @default 0
             */
            overlap_s?: number;
        };
        Key: {
            id: string;
            tenant: string;
            subject: string;
            roles: components["schemas"]["Role"][];
            narrow: components["schemas"]["Narrow"];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            created_at: components["schemas"]["Timestamp"];
            /** @description A subject, or `bootstrap`. */
            created_by: string;
            expires_at: components["schemas"]["NullableTimestamp"];
            rotated_at: components["schemas"]["NullableTimestamp"];
            overlap_until: components["schemas"]["NullableTimestamp"];
            revoked_at: components["schemas"]["NullableTimestamp"];
        };
        /** @description A key with its secret; null in an answer that is repeated. */
        MadeKey: {
            id: string;
            tenant: string;
            subject: string;
            roles: components["schemas"]["Role"][];
            narrow: components["schemas"]["Narrow"];
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            created_at: components["schemas"]["Timestamp"];
            created_by: string;
            expires_at: components["schemas"]["NullableTimestamp"];
            rotated_at: components["schemas"]["NullableTimestamp"];
            overlap_until: components["schemas"]["NullableTimestamp"];
            revoked_at: components["schemas"]["NullableTimestamp"];
            key: string | null;
        };
        KeyPage: {
            data: components["schemas"]["Key"][];
            next_cursor: components["schemas"]["Name"];
        };
        ExportLine: {
            /** @enum {string} */
            type: "tenant" | "settings" | "key" | "session" | "turn" | "batch" | "output" | "event" | "audit";
            /** @description Of turns, batches, outputs and events. */
            session_id?: string;
            /** @description The id of an event in its stream. */
            event_id?: string;
            /**
             * @description A Tenant, TenantSettings, Key, SessionDocument, Turn or TranscriptLine; an output as `{ref, text}`; an event
             *     as its stream shows it, byte for byte; a line of `GET /v1/audit`.
             */
            data: Record<string, unknown>;
        };
        TenantSettings: {
            /** @description Counts the changes. */
            revision: number;
            rules: components["schemas"]["TenantRules"];
            /** @description Denied to every read and write; left out or null, the defaults are. */
            protected_paths?: string[] | null;
            /**
             * @description What plan mode does with commands; empty: deny.
             * @enum {string}
             */
            plan_shell: "" | "deny" | "read_only";
            approvers: components["schemas"]["Approvers"];
            hooks?: components["schemas"]["Hook"][];
            limits: components["schemas"]["UsageLimits"];
            key_limits: components["schemas"]["KeyLimits"];
        };
        TenantSettingsPut: {
            /** @description As it was read; If-Match is what counts. */
            revision?: number;
            rules?: components["schemas"]["TenantRules"];
            protected_paths?: string[] | null;
            /** @enum {string} */
            plan_shell?: "" | "deny" | "read_only";
            approvers?: components["schemas"]["Approvers"];
            hooks?: components["schemas"]["Hook"][];
            limits?: components["schemas"]["UsageLimits"];
            key_limits?: components["schemas"]["KeyLimits"];
        };
        /** @description Consulted before the rules of any session. */
        TenantRules: {
            deny?: components["schemas"]["Patterns"];
            ask?: components["schemas"]["Patterns"];
            allow?: components["schemas"]["Patterns"];
        };
        /** @description Who may answer an approval, and how many have to. */
        Approvers: {
            /** @description Distinct subjects that have to approve; 0 and 1: one. */
            min?: number;
            roles?: components["schemas"]["Role"][];
            subjects?: string[];
            /** @description Refuses the subject who runs the session's host. */
            four_eyes?: boolean;
        };
        Hook: {
            id: string;
            url: string;
            events: ("PreToolUse" | "PostToolUse" | "PostToolBatch" | "ApprovalRequested")[];
            /** @description Signs what is sent (`whsec_…`). Written, never read back. */
            secret?: string;
            timeout_ms?: number;
            /** @enum {string} */
            on_timeout?: "" | "pass" | "ask" | "deny";
        };
        /** @description What a tenant may use; 0: the deployment's default, -1: no limit. */
        UsageLimits: {
            requests_per_minute?: number;
            batches_per_minute?: number;
            open_streams?: number;
            sessions?: number;
            /**
             * Format: int64
             * @description What its sessions may take in Redis. It is measured now and then, at most every 30 s.
             */
            stored_bytes?: number;
        };
        /** @description What each key of a tenant may use; 0: the deployment's default, -1: no limit. */
        KeyLimits: {
            requests_per_minute?: number;
            batches_per_minute?: number;
            open_streams?: number;
        };
        /** @description RFC 9457. Members beside the named ones tell more about a code. */
        Problem: {
            type: string;
            title: string;
            status: number;
            detail: string;
            code: components["schemas"]["Code"];
            request_id: string;
            /** @description The same request may succeed later. */
            retryable: boolean;
            /** @description What is wrong, by JSON pointer into the body or by parameter name. Never the values. */
            errors?: {
                field: string;
                detail: string;
            }[];
            /** @description batch_in_progress */
            batch_id?: string;
            /** @description batch_in_progress */
            calls_sha256?: string;
            /** @description turn_in_progress, turn_ended; turn_mismatch: the open one */
            turn_id?: string | null;
            /** @description turn_ended */
            stop_reason?: string;
            /** @description call_held */
            held_by?: string;
            /** @description host_fenced: who is attached, if anybody */
            attached_host_id?: string | null;
            /** @description call_held, call_late, call_not_claimed, call_not_dispatched, result_conflict */
            position?: number;
            /** @description call_held, call_late, call_not_claimed, call_not_dispatched, result_conflict */
            call_id?: string;
            /** @description precondition_failed: the one that the document has */
            revision?: number;
            /** @description approval_already_resolved, approval_stale, approval_expired */
            approval_id?: string;
            /** @description approval_already_resolved */
            resolved_by?: string | null;
            /** @description approval_already_resolved */
            option_id?: string | null;
            resolved_at?: components["schemas"]["NullableTimestamp"];
            /** @description approval_already_resolved, approval_stale, approval_expired */
            approval_status?: string;
        };
        /** @enum {string} */
        Code: "invalid_query" | "invalid_cursor" | "unauthenticated" | "forbidden" | "mode_locked" | "host_refused" | "origin_refused" | "certificate_required" | "csrf_refused" | "rate_limited" | "quota_exceeded" | "not_found" | "method_not_allowed" | "batch_in_progress" | "batch_incomplete" | "turn_in_progress" | "turn_mismatch" | "turn_ended" | "result_conflict" | "call_not_dispatched" | "call_held" | "call_late" | "call_not_claimed" | "host_fenced" | "approval_already_resolved" | "already_voted" | "not_an_approver" | "approval_stale" | "approval_expired" | "session_closed" | "plan_mode_active" | "tenant_exists" | "tenant_erasing" | "too_many_tenants" | "key_exists" | "key_dead" | "too_many_keys" | "precondition_failed" | "too_large" | "unsupported_media_type" | "malformed_body" | "invalid_request" | "no_tool_calls" | "too_many_calls" | "idempotency_key_reused" | "internal" | "store_unavailable" | "not_replicated" | "store_full" | "conflict_retry" | "too_many_streams" | "draining";
    };
    responses: {
        /** @description A refusal or a failure; `code` says which. */
        Problem: {
            headers: {
                "X-Request-Id": components["headers"]["RequestId"];
                /** @description Seconds to wait, where `retryable` is true. */
                "Retry-After"?: number;
                /** @description On 401. */
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
        SessionId: string;
        /** @example bat_1 */
        BatchId: string;
        /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
        TurnId: string;
        /** @example host-1 */
        AttachedHostId: components["schemas"]["AttachedHostId"];
        /** @example apr_b0123_01JZ5X9A2B */
        ApprovalId: string;
        /** @example acme */
        TenantId: string;
        /** @example ci */
        KeyId: string;
        /**
         * @description The revision as an entity tag, or `*`.
         * @example "4"
         */
        IfMatch: string;
        /**
         * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
         *     another body a 422. Scope: the API key, the route and this key.
         * @example 0b7e6c1e-turn-7
         */
        IdempotencyKey: string;
        Format: components["schemas"]["Format"];
        Limit: number;
        /** @description The `next_cursor` of the page before. */
        Cursor: string;
    };
    requestBodies: never;
    headers: {
        /** @description The cookie of the sign-in. */
        SetCookie: string;
        /** @description The request's id; the caller's own if it sent a well-formed one. Problems repeat it. */
        RequestId: string;
        /** @description Present and `true` when the answer was stored by an earlier request with the same key. */
        IdempotencyReplayed: boolean;
        /** @description The settings' revision, to be sent as `If-Match`. */
        SettingsRevision: string;
        /** @description The plan's revision, to be sent as `If-Match`. */
        PlanRevision: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listSessions: {
        parameters: {
            query?: {
                status?: "active" | "closed";
                /** @description A label's key, or `key=value`. */
                label?: string;
                /** @description The id of the parent session. */
                parent?: string;
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SessionSpec"];
            };
        };
        responses: {
            /** @description The session. */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDocument"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDocument"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    closeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Closed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionPatch"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDocument"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getTools: {
        parameters: {
            query?: {
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tools. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Advertisement"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    putTools: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ToolsReplacement"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDocument"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    putRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rules"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDocument"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    putApprovalMode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModeChange"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDocument"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    ETag: components["headers"]["PlanRevision"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    patchPlan: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The revision as an entity tag, or `*`.
                 * @example "4"
                 */
                "If-Match"?: string;
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanPatch"];
            };
        };
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    ETag: components["headers"]["PlanRevision"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listGrants: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All grants, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GrantPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    revokeGrants: {
        parameters: {
            query?: {
                /** @description The grant to forget; without it all are forgotten. */
                id?: string;
            };
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Forgotten. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    listHosts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One host, or none. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    attachHost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Attachment"];
            };
        };
        responses: {
            /** @description The attachment, with the fence to send along. */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Host"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    detachHost: {
        parameters: {
            query: {
                /** @description Of the attachment that ends. */
                fence: components["schemas"]["Fence"];
            };
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example host-1 */
                host_id: components["parameters"]["AttachedHostId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The host is not attached any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    heartbeatHost: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example host-1 */
                host_id: components["parameters"]["AttachedHostId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Heartbeat"];
            };
        };
        responses: {
            /** @description Until when the lease lasts now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Renewal"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listTurns: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of turns. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    startTurn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnStart"];
            };
        };
        responses: {
            /** @description The turn. */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
                tid: components["parameters"]["TurnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The turn. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    sayInTurn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
                tid: components["parameters"]["TurnId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Message"];
            };
        };
        responses: {
            /** @description How much was said in the turn by now. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Said"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    completeTurn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
                tid: components["parameters"]["TurnId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TurnCompletion"];
            };
        };
        responses: {
            /** @description The turn, without its input and what was said. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    cancelTurn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example trn_0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE_1 */
                tid: components["parameters"]["TurnId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The turn, without its input and what was said. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Turn"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listBatches: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of batches. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    submitBatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchSubmission"];
            };
        };
        responses: {
            /** @description The batch with what is decided so far. */
            202: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getBatch: {
        parameters: {
            query?: {
                /**
                 * @description How long to wait for the batch to end: a duration such as `30s` or `500ms`, or a number of seconds; at
                 *     most 60s. When it passes first, the answer is the batch still running.
                 * @example 30s
                 */
                wait?: string;
            };
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    claimCalls: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimRequest"];
            };
        };
        responses: {
            /** @description One answer per call asked for, in the order asked. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Claims"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    reportResults: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResultReport"];
            };
        };
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    reportProgress: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProgressReport"];
            };
        };
        responses: {
            /** @description What came of it. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Progress"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    abortBatch: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getNextRequest: {
        parameters: {
            query?: {
                format?: components["parameters"]["Format"];
            };
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @example bat_1 */
                bid: components["parameters"]["BatchId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The follow-up in the provider's form. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NextRequest"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    explainCalls: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BatchSubmission"];
            };
        };
        responses: {
            /** @description The calls in their order, each with its outcome. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Explanation"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    checkModelRequest: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ModelRequest"];
            };
        };
        responses: {
            /** @description The verdict. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelRequestCheck"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                status?: "pending" | "approved" | "rejected" | "expired" | "cancelled" | "stale";
                session_id?: string;
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of approvals. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example apr_b0123_01JZ5X9A2B */
                aid: components["parameters"]["ApprovalId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The approval. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    respondApproval: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example apr_b0123_01JZ5X9A2B */
                aid: components["parameters"]["ApprovalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApprovalResponse"];
            };
        };
        responses: {
            /** @description The approval as answered. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    callRPC: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RPCRequests"];
            };
        };
        responses: {
            /** @description An answer, or a list of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RPCResponses"];
                };
            };
            /** @description There were notifications only. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    streamEvents: {
        parameters: {
            query?: {
                /** @description An event id; `0-00000000` is from the oldest retained event, `latest` is live only. */
                after?: string;
                /** @description Of createStreamTicket, in a key's stead. It is used up. */
                ticket?: string;
                /**
                 * @description A comma-separated list of prefixes of event types.
                 * @example call.,batch.completed
                 */
                types?: string;
                /** @description The attached host whose lease this stream renews; only a key with the role host may. Goes with `fence`. */
                host_id?: components["schemas"]["AttachedHostId"];
                /** @description Of the attachment. Goes with `host_id`. */
                fence?: components["schemas"]["Fence"];
            };
            header?: {
                /** @description The id of the last event that the client has; beats `after`. */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    streamTenantEvents: {
        parameters: {
            query?: {
                /** @description A frame's id; `latest` is live only, nothing is from a snapshot on. */
                after?: string;
                /** @description Of createStreamTicket, in a key's stead. It is used up. */
                ticket?: string;
                /**
                 * @description A comma-separated list of prefixes of event types.
                 * @example approval.
                 */
                types?: string;
            };
            header?: {
                /** @description The id of the last frame that the client has; beats `after`. */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createStreamTicket: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket; it is told only now. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamTicket"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createTenantStreamTicket: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ticket; it is told only now. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamTicket"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Who it is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. */
            201: {
                headers: {
                    "Set-Cookie": components["headers"]["SetCookie"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cookie is nobody's any more. */
            204: {
                headers: {
                    "Set-Cookie": components["headers"]["SetCookie"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    getOutput: {
        parameters: {
            query?: {
                /** @description The first character. */
                offset?: number;
                /** @description How many characters; without it the default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
                /** @description The `output_ref` of a result. */
                ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OutputPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getTranscript: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example ses_b0123_01JZ5X8Q6T3N9V4K2M7C1R0DHE */
                sid: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One batch a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getAudit: {
        parameters: {
            query?: {
                /** @description Only what was written from then on. */
                since?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One entry or seal a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                /** @description The `next_cursor` of the page before. */
                cursor?: components["parameters"]["Cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tenants. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantCreation"];
            };
        };
        responses: {
            /** @description The tenant. */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    deleteTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tenant, being erased. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    exportTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One thing a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getTenantSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings; revision 0 if nothing was ever set. */
            200: {
                headers: {
                    ETag: components["headers"]["SettingsRevision"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantSettings"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    putTenantSettings: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The revision as an entity tag, or `*`.
                 * @example "4"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
            };
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TenantSettingsPut"];
            };
        };
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    ETag: components["headers"]["SettingsRevision"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantSettings"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All keys, oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyPage"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyCreation"];
            };
        };
        responses: {
            /** @description The key. */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeKey"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Makes the request safe to repeat for 24 hours: the same key with the same body gets the stored answer, with
                 *     another body a 422. Scope: the API key, the route and this key.
                 * @example 0b7e6c1e-turn-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
                /** @example ci */
                kid: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["KeyRotation"];
            };
        };
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadeKey"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example acme */
                tenant: components["parameters"]["TenantId"];
                /** @example ci */
                kid: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is revoked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It can. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            /** @description It can't, or is draining. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    getContract: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contract. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/yaml": string;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
}
type WithRequired<T, K extends keyof T> = T & {
    [P in K]-?: T[P];
};
