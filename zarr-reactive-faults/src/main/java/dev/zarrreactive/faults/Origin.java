package dev.zarrreactive.faults;

import reactor.core.publisher.Mono;

/** Where a server has its answers from. */
@FunctionalInterface
public interface Origin {
  /** The answer to a request, as a good server gives it; never empty. */
  Mono<ServerResponse> answer(ReceivedRequest asked);
}
