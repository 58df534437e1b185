package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random history in the store of a server, of which a part expires, and whose garbage is
 * collected: what stays is what a naive model says, object by object, by the times that the server
 * tells.
 */
public final class CleanedRepository {
  private CleanedRepository() {}

  /** Writes a history of some commits, and cleans it twice. */
  public static void run(Store place, long seed) {
    Random random = new Random(seed);
    WrittenHistory history = new WrittenHistory(place, seed);
    history.write(6);
    IcechunkCleanup garbage =
        IcechunkCleanup.nothing()
            .withCollection(Instant.now().plus(Duration.ofDays(1)))
            .withYoungObjects(true);
    long erased = clean(place, history, random, garbage);
    history.write(4);
    assertThat(erased + clean(place, history, random, garbage)).isPositive();
    anOpenSessionKeepsItsChunks(place);
  }

  /**
   * Lets a random part of a history expire, collects its garbage, and compares what stays with a
   * naive model.
   *
   * @param garbage what is collected
   * @return the number of objects that were erased
   */
  static long clean(Store place, WrittenHistory history, Random random, IcechunkCleanup garbage) {
    IcechunkRepository repository = await(Icechunk.open(place));
    ExpiredHistories model = new ExpiredHistories(repository);
    List<Instant> times = new ArrayList<>(model.times.values());
    Instant bound = times.get(random.nextInt(times.size()));
    boolean branches = random.nextBoolean();
    boolean tags = random.nextBoolean();
    IcechunkCleanup wanted =
        garbage.withExpiration(bound).withExpiredBranches(branches).withExpiredTags(tags);
    model.expire(bound, branches, tags);
    IcechunkCleaned told = await(repository.clean(wanted.withDryRun(true)));
    IcechunkCleaned cleaned = await(repository.clean(wanted));
    assertThat(cleaned).isEqualTo(told);
    assertThat(new ExpiredHistories(await(repository.refresh())).histories())
        .isEqualTo(model.histories());
    NeededObjects.assertNoOther(place);
    history.forget(cleaned);
    history.checkAll();
    return cleaned.all().count();
  }

  /** The times of the server tell a chunk that a session may still commit from garbage. */
  private static void anOpenSessionKeepsItsChunks(Store place) {
    IcechunkRepository repository = await(Icechunk.open(place));
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(session, "kept/zarr.json", SessionTree.array(2));
    Bytes chunk = Bytes.wrap(new byte[2000]);
    await(session.set(StoreKey.of("kept/c/0"), chunk));
    IcechunkCleanup wanted =
        IcechunkCleanup.nothing().withCollection(Instant.now().minus(Duration.ofDays(2)));
    assertThat(await(repository.clean(wanted)).objects().get("chunks").count()).isZero();
    await(session.commit("kept"));
    Store now = await(repository.refresh().flatMap(each -> each.store(IcechunkVersion.MAIN)));
    assertThat(await(now.get(StoreKey.of("kept/c/0")))).isEqualTo(chunk);
    assertThat(await(await(Icechunk.open(place)).checkHistory())).isEmpty();
  }
}
