package stream

import "context"

// shared makes something once for all readers that ask for it meanwhile: those
// of a history that changed, or of a replica that was lost, come at once. It
// outlives the reader that asked first, by ReadTimeout at most.
func shared[T any](ctx context.Context, h *Hub, key string, read func(context.Context) (T, error)) (T, error) {
	made, err, _ := h.snapshots.Do(key, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.cfg.ReadTimeout)
		defer cancel()
		return read(ctx)
	})
	if err != nil {
		var none T
		return none, err
	}
	return made.(T), nil
}
