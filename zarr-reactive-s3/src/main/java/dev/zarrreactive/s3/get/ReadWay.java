package dev.zarrreactive.s3.get;

import java.util.Optional;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** The way of the reads of one client: without the SDK, or with it. The first read finds it. */
public final class ReadWay {
  private final S3AsyncClient client;
  private volatile Mono<Optional<SignedGets>> gets;

  /**
   * A way that is not known yet.
   *
   * @param gets the reads without the SDK; empty where the SDK reads
   */
  public ReadWay(S3AsyncClient client, Mono<SignedGets> gets) {
    this.client = client;
    this.gets =
        gets.map(Optional::of)
            .defaultIfEmpty(Optional.empty())
            .doOnNext(found -> this.gets = Mono.just(found))
            .cache();
  }

  /** Returns true for the client of this way. */
  public boolean isOf(S3AsyncClient other) {
    return client == other;
  }

  /** Emits the reads without the SDK; nothing inside where the SDK reads. */
  public Mono<Optional<SignedGets>> gets() {
    return gets;
  }
}
