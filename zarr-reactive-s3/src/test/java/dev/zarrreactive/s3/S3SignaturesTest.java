package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import software.amazon.awssdk.checksums.DefaultChecksumAlgorithm;
import software.amazon.awssdk.checksums.SdkChecksum;

/** What the SDK does for every request on the thread that makes it. */
class S3SignaturesTest {
  private static final int THREADS = 8;
  private static final int TIMES = 20_000;

  /** They share a queue of digests, whose lock is now and then another's. */
  @Test
  void many_digests_at_the_same_time_are_no_blocking_calls() {
    Scheduler threads = Schedulers.newParallel("digests", THREADS);
    try {
      assertThat(
              Flux.range(0, THREADS)
                  .flatMap(
                      i -> Flux.range(0, TIMES).map(j -> digest()).distinct().subscribeOn(threads),
                      THREADS)
                  .distinct()
                  .collectList()
                  .block(Duration.ofMinutes(1)))
          .containsExactly("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    } finally {
      threads.dispose();
    }
  }

  /** Over HTTPS the SDK signs none. */
  @Test
  void bodies_over_plain_http_are_signed_unless_an_option_says_otherwise() {
    try (OneValue signed = new OneValue(10);
        OneValue unsigned = new OneValue(10, settings -> settings.unsignedPayload(true))) {
      await(signed.store.set(KEY, signed.value));
      await(unsigned.store.set(KEY, unsigned.value));
      assertThat(digestOf(signed)).hasSize(64);
      assertThat(digestOf(unsigned)).isEqualTo("UNSIGNED-PAYLOAD");
      assertThat(await(unsigned.store.get(KEY))).isEqualTo(unsigned.value);
    }
  }

  private static String digestOf(OneValue one) {
    return one.server.requests().get(0).header("x-amz-content-sha256");
  }

  private static String digest() {
    SdkChecksum checksum = SdkChecksum.forAlgorithm(DefaultChecksumAlgorithm.SHA256);
    return HexFormat.of().formatHex(checksum.getChecksumBytes());
  }
}
