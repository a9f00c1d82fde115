package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Submit sends the tool calls of one model response.
func (c *Client) Submit(ctx context.Context, sid string, b BatchSubmission) (Batch, error) {
	return post[Batch](ctx, c, b, "sessions", sid, "batches")
}

// Explain says what would become of calls if they were submitted now, and why.
// It changes nothing.
func (c *Client) Explain(ctx context.Context, sid string, b BatchSubmission) (Explanation, error) {
	return post[Explanation](ctx, c, b, "sessions", sid, "explain")
}

// Batch is a batch as it is now.
func (c *Client) Batch(ctx context.Context, sid, bid string) (Batch, error) {
	return call[Batch](ctx, c, get("sessions", sid, "batches", bid))
}

// maxWait is how long the gateway lets one read of a batch wait.
const maxWait = time.Minute

// Await waits until a batch has ended.
func (c *Client) Await(ctx context.Context, sid, bid string) (Batch, error) {
	r := get("sessions", sid, "batches", bid)
	r.query = url.Values{"wait": {strconv.Itoa(int(maxWait.Seconds())) + "s"}}
	for {
		b, err := call[Batch](ctx, c, r)
		if err != nil || b.Status != "running" {
			return b, err
		}
	}
}

// Batches are a session's batches, newest first, fetched as they are asked for.
func (c *Client) Batches(ctx context.Context, sid string) iter.Seq2[Batch, error] {
	return pages(url.Values{}, func(q url.Values) ([]Batch, *string, error) {
		r := get("sessions", sid, "batches")
		r.query = q
		page, err := call[BatchPage](ctx, c, r)
		return page.Data, page.NextCursor, err
	})
}

// Claim takes dispatched calls for a host. The answer says which were granted.
func (c *Client) Claim(ctx context.Context, sid, bid string, r ClaimRequest) ([]Claim, error) {
	out, err := post[Claims](ctx, c, r, "sessions", sid, "batches", bid, "claims")
	return out.Claims, err
}

// Report gives results of a host, all or none of which are taken.
func (c *Client) Report(ctx context.Context, sid, bid string, r ResultReport) (Batch, error) {
	return post[Batch](ctx, c, r, "sessions", sid, "batches", bid, "results")
}

// Abort cancels what of a batch has not ended.
func (c *Client) Abort(ctx context.Context, sid, bid string) (Batch, error) {
	return post[Batch](ctx, c, struct{}{}, "sessions", sid, "batches", bid, "abort")
}

// NextRequest is the follow-up to an ended batch, ready for a provider.
func (c *Client) NextRequest(ctx context.Context, sid, bid string, format Format) (NextRequest, error) {
	r := get("sessions", sid, "batches", bid, "next-request")
	r.query = url.Values{"format": {string(format)}}
	return call[NextRequest](ctx, c, r)
}

// Output is a page of a stored output, in characters.
func (c *Client) Output(ctx context.Context, sid, ref string, offset, limit int) (OutputPage, error) {
	r := get("sessions", sid, "outputs", ref)
	r.query = url.Values{"offset": {strconv.Itoa(offset)}, "limit": {strconv.Itoa(limit)}}
	return call[OutputPage](ctx, c, r)
}

// maxTranscriptLine bounds one batch of a transcript.
const maxTranscriptLine = 256 << 20

// Transcript is a session's ended batches, oldest first, read as they come.
// It is not repeated when it breaks off.
func (c *Client) Transcript(ctx context.Context, sid string) iter.Seq2[TranscriptLine, error] {
	return func(yield func(TranscriptLine, error) bool) {
		stopped := false
		_, err := c.once(ctx, get("sessions", sid, "transcript"), nil, func(resp *http.Response) error {
			lines := bufio.NewScanner(resp.Body)
			lines.Buffer(nil, maxTranscriptLine)
			for lines.Scan() {
				var line TranscriptLine
				if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
					return fmt.Errorf("decode line: %w", err)
				}
				if stopped = !yield(line, nil); stopped {
					return nil
				}
			}
			return lines.Err()
		})
		if err != nil && !stopped {
			yield(TranscriptLine{}, err)
		}
	}
}

// Approvals is the tenant's inbox, oldest first, fetched as it is asked for.
func (c *Client) Approvals(ctx context.Context, filter ListApprovalsParams) iter.Seq2[Approval, error] {
	q := url.Values{}
	set(q, "status", filter.Status)
	set(q, "session_id", filter.SessionID)
	return pages(q, func(q url.Values) ([]Approval, *string, error) {
		r := get("approvals")
		r.query = q
		page, err := call[ApprovalPage](ctx, c, r)
		return page.Data, page.NextCursor, err
	})
}

// Approval is one approval.
func (c *Client) Approval(ctx context.Context, aid string) (Approval, error) {
	return call[Approval](ctx, c, get("approvals", aid))
}

// Respond answers an approval. The first answer wins; a later one is refused
// with approval_already_resolved, which says who won.
func (c *Client) Respond(ctx context.Context, aid string, r ApprovalResponse) (Approval, error) {
	return post[Approval](ctx, c, r, "approvals", aid, "respond")
}

func post[T any](ctx context.Context, c *Client, body any, path ...string) (T, error) {
	return call[T](ctx, c, request{method: http.MethodPost, path: path, body: body})
}
