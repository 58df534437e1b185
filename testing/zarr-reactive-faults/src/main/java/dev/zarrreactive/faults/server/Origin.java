package dev.zarrreactive.faults.server;

import reactor.core.publisher.Mono;

/** The source of the responses of a server. */
@FunctionalInterface
public interface Origin {
  /** Returns the response of a good server; never empty. */
  Mono<ServerResponse> answer(ReceivedRequest asked);
}
