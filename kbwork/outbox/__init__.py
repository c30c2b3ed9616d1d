"""The outbox: each event goes to a stream of NATS, once and in order, for whoever listens there."""
