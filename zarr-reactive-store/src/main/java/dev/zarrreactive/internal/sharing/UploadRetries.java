package dev.zarrreactive.internal.sharing;

import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Repeats single requests of an upload in parts, or of a conditional write, where a decorator above
 * has asked for it. Such a decorator cannot repeat the write itself: the value may come from a
 * source that is read once, and an attempt whose answer was lost may have changed the value that
 * the condition names.
 */
public interface UploadRetries {
  /** Returns the request, repeated after transient errors. It must be harmless to repeat. */
  <T> Mono<T> repeat(Mono<T> request);

  /** Returns the context of an upload whose requests are repeated. */
  static Context write(Context context, UploadRetries retries) {
    return context.put(UploadRetries.class, retries);
  }

  /** Returns the request, repeated as the subscriber's context says; once where it says nothing. */
  static <T> Mono<T> of(Mono<T> request) {
    return Mono.deferContextual(
        subscriber ->
            subscriber.hasKey(UploadRetries.class)
                ? subscriber.<UploadRetries>get(UploadRetries.class).repeat(request)
                : request);
  }
}
