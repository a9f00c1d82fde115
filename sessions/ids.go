package sessions

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
)

// Ids tell where a thing is stored, so that no lookup table is needed: a
// session's carries its bucket, a batch's and a turn's their session and number,
// an approval's its batch and place.
var (
	sessionID  = regexp.MustCompile(`^ses_([0-9]{4})([0-9A-Z]{26})$`)
	batchID    = regexp.MustCompile(`^bat_([0-9]{4}[0-9A-Z]{26})_([1-9][0-9]{0,18})$`)
	turnID     = regexp.MustCompile(`^trn_([0-9]{4}[0-9A-Z]{26})_([1-9][0-9]{0,18})$`)
	approvalID = regexp.MustCompile(`^apr_([0-9]{4}[0-9A-Z]{26})_([1-9][0-9]{0,18})_([1-9][0-9]{0,8})$`)
)

// topicOf is where a tenant's session is stored; false for what can't be an id.
func topicOf(tenant, sid string) (stream.Topic, bool) {
	m := sessionID.FindStringSubmatch(sid)
	if m == nil {
		return stream.Topic{}, false
	}
	bucket, err := strconv.ParseUint(m[1], 10, 16)
	if err != nil || bucket >= store.Buckets {
		return stream.Topic{}, false
	}
	return stream.Topic{Bucket: uint16(bucket), Tenant: tenant, Session: sid}, true
}

func sessionBody(sid string) string { return strings.TrimPrefix(sid, "ses_") }

func newSessionID(bucket uint16, id ulid.ULID) string { return fmt.Sprintf("ses_%04d%s", bucket, id) }

func newBatchID(sid string, n uint64) string { return fmt.Sprintf("bat_%s_%d", sessionBody(sid), n) }

func newApprovalID(sid string, batch uint64, k int) string {
	return fmt.Sprintf("apr_%s_%d_%d", sessionBody(sid), batch, k)
}

func newTurnID(sid string, n uint64) string { return fmt.Sprintf("trn_%s_%d", sessionBody(sid), n) }

// batchNumber is the number in a batch id of this session.
func batchNumber(sid, bid string) (uint64, bool) { return numberIn(batchID, sid, bid) }

// turnNumber is the number in a turn id of this session.
func turnNumber(sid, tid string) (uint64, bool) { return numberIn(turnID, sid, tid) }

func numberIn(form *regexp.Regexp, sid, id string) (uint64, bool) {
	m := form.FindStringSubmatch(id)
	if m == nil || m[1] != sessionBody(sid) {
		return 0, false
	}
	n, err := strconv.ParseUint(m[2], 10, 64)
	return n, err == nil
}

// approvalPlace is where an approval is stored.
type approvalPlace struct {
	session string
	batch   uint64
	number  int
}

func placeOf(aid string) (approvalPlace, bool) {
	m := approvalID.FindStringSubmatch(aid)
	if m == nil {
		return approvalPlace{}, false
	}
	batch, err := strconv.ParseUint(m[2], 10, 64)
	if err != nil {
		return approvalPlace{}, false
	}
	number, err := strconv.Atoi(m[3])
	return approvalPlace{session: "ses_" + m[1], batch: batch, number: number}, err == nil
}

// derivedULID makes an id out of what it is derived from: the same request
// under the same key makes the same session.
func derivedULID(parts ...string) ulid.ULID {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	var id ulid.ULID
	copy(id[:], sum[:16])
	id[0] &= 0x7f // a ULID's text holds 128 bits in 26 digits; keep it canonical
	return id
}

func shortHash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}
