package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.zarrreactive.icechunk.CleanedRepository;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of a repository expire, and its garbage is collected, in servers of S3. */
@Timeout(600)
class CleanupInS3Test {
  @TempDir Path directory;

  @Sampled
  @Test
  void a_repository_in_minio_is_cleaned_as_a_naive_model_says() {
    InstalledS3 minio = InstalledS3.minio(directory.resolve("minio"));
    assumeTrue(minio != null, "no minio is installed; name one with -Dzarr.minio=/path/to/minio");
    try (minio) {
      for (int seed = 0; seed < Cases.some(1, 5); seed++) {
        clean(minio, seed);
      }
    }
  }

  @Test
  void and_one_in_moto() {
    InstalledS3 moto = InstalledS3.moto();
    assumeTrue(
        moto != null,
        "no moto_server is installed; name one with -Dzarr.moto=/path/to/moto_server");
    try (moto) {
      clean(moto, 3);
    }
  }

  private static void clean(InstalledS3 server, long seed) {
    Store place =
        CommittingToBucket.store(
            server.uri(), server.newBucket(), InstalledS3.ACCESS_KEY, InstalledS3.SECRET_KEY);
    CleanedRepository.run(place, seed);
    await(place.close());
  }
}
