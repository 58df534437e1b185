package dev.zarrreactive.icechunk;

import dev.zarrreactive.store.DelegatingStore;
import dev.zarrreactive.store.LocatedValues;
import dev.zarrreactive.store.StagedStore;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A session that is committed when it is closed, where it has changes. */
final class StagedSession extends DelegatingStore implements StagedStore {
  private final IcechunkSession session;
  private final String message;

  StagedSession(IcechunkSession session, String message) {
    super(session);
    this.session = session;
    this.message = message;
  }

  @Override
  public @Nullable LocatedValues located() {
    return LocatedValues.of(delegate());
  }

  @Override
  public Mono<Void> close() {
    return Mono.defer(() -> session.hasChanges() ? session.commit(message).then() : discard());
  }

  @Override
  public Mono<Void> discard() {
    return session.discard();
  }
}
