package dev.zarrreactive.gcs;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.icechunk.CleanedRepository;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Snapshots of a repository expire, and its garbage is collected, in a bucket of Google. */
@Timeout(600)
class CleanupInGcsTest {
  @Sampled
  @Test
  void a_repository_in_a_bucket_is_cleaned_as_a_naive_model_says() {
    XmlApiServer server = XmlApiServer.shared();
    for (int seed = 0; seed < Cases.some(1, 5); seed++) {
      clean(server.uri(), server.newBucket(), seed);
    }
  }

  @Sampled
  @Test
  void and_one_in_the_emulator() {
    try (FakeGcsServer server = FakeGcsServer.start()) {
      for (int seed = 0; seed < Cases.some(1, 5); seed++) {
        clean(server.uri(), server.newBucket(), seed);
      }
    }
  }

  private static void clean(URI server, String bucket, long seed) {
    GcsStore place = GcsStore.at(bucket).prefix("repo").endpoint(server).open();
    CleanedRepository.run(place, seed);
    await(place.close());
  }
}
