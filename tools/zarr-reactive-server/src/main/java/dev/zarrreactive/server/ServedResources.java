package dev.zarrreactive.server;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import reactor.core.publisher.Mono;

/** Finds what a GET or a HEAD asks for. */
interface ServedResources {
  /** Emits the response; a {@link Problem.MissingException} where nothing is at the path. */
  Mono<Reply> get(RequestPath path, HttpMethod method, HttpHeaders headers, ResponseMemory memory);
}
