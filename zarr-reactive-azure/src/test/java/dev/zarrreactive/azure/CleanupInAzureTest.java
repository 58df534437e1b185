package dev.zarrreactive.azure;

import static dev.zarrreactive.testing.Waiting.await;

import dev.zarrreactive.icechunk.CleanedRepository;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Snapshots of a repository expire, and its garbage is collected, in a container. */
@Timeout(600)
class CleanupInAzureTest {
  @Sampled
  @Test
  void a_repository_in_a_container_is_cleaned_as_a_naive_model_says() {
    Azurite azure = Azurite.shared();
    for (int seed = 0; seed < Cases.some(1, 5); seed++) {
      Store place = azure.at(azure.newContainer()).prefix("repo").open();
      CleanedRepository.run(place, seed);
      await(place.close());
    }
  }
}
