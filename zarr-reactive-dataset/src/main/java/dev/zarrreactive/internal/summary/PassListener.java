package dev.zarrreactive.internal.summary;

import reactor.core.publisher.Mono;

/** Accompanies the passes over an array, for example with a bar of progress. */
public interface PassListener {
  /** Returns a pass over the array with what accompanies it. */
  <T> Mono<T> accompany(Mono<T> pass);

  /** Is told of elements that a pass has read, on any thread. */
  void read(long elements);
}
