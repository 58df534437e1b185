package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.GrowthSequence;
import dev.zarrreactive.testing.Sampled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random sequences of operations on arrays in S3; core has the same in memory and on files. {@code
 * -Dzarr.growth.s3=FROM-TO} runs others.
 */
@ExtendWith(NoLeaks.class)
@Sampled
class S3GrowthSequenceTest {
  @Test
  @Timeout(36_000)
  void after_each_step_the_array_is_what_the_model_is() {
    S3ProxyServer server = S3ProxyServer.shared();
    String bucket = server.newBucket();
    String[] ends =
        System.getProperty("zarr.growth.s3", "2000-" + Cases.some(2010, 2040)).split("-");
    for (long seed = Long.parseLong(ends[0]); seed < Long.parseLong(ends[1]); seed++) {
      S3Store store = server.at(bucket).prefix("s" + seed).open();
      GrowthSequence.run(store, seed, 5);
      await(store.close());
    }
  }
}
