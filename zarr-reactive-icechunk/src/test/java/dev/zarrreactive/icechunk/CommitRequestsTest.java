package dev.zarrreactive.icechunk;

import static dev.zarrreactive.testing.Waiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.observation.StoreOperation;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.testkit.InstrumentedStore;
import dev.zarrreactive.testkit.RequestCounts;
import org.junit.jupiter.api.Test;

/** What sessions and commits cost. */
class CommitRequestsTest {
  private final InstrumentedStore place = InstrumentedStore.of(MemoryStore.create());
  private final IcechunkRepository repository =
      TestRepositories.create(place, "inline_chunk_threshold_bytes", 1);

  private RequestCounts reset() {
    place.counts().reset();
    return place.counts();
  }

  @Test
  void a_session_costs_two_requests_and_a_chunk_one() {
    RequestCounts counts = reset();
    IcechunkSession session = await(repository.session("main"));
    assertThat(counts.total()).isEqualTo(2);
    counts.reset();
    SessionTree.put(session, "a/zarr.json", SessionTree.array(9));
    SessionTree.put(session, "a/c/0", "1");
    assertThat(counts.total()).isZero();
    SessionTree.put(session, "a/c/1", "more than one byte");
    assertThat(counts.total()).isEqualTo(1);
    assertThat(counts.total(StoreOperation.SET)).isEqualTo(1);
  }

  @Test
  void a_commit_costs_its_files_and_three_requests_for_the_info() {
    IcechunkSession session = await(repository.session("main"));
    SessionTree.put(session, "a/zarr.json", SessionTree.array(9));
    SessionTree.put(session, "a/c/0", "1");
    SessionTree.put(session, "b/zarr.json", SessionTree.array(9));
    RequestCounts counts = reset();
    await(session.commit("one"));
    // a manifest, a snapshot, a log; the info read, copied and replaced
    assertThat(counts.total()).isEqualTo(1 + 2 + 3);
    counts.reset();
    IcechunkSession next = await(repository.session("main"));
    // the snapshot that was made is known
    assertThat(counts.total()).isEqualTo(1);
    SessionTree.put(next, "a/c/1", "2");
    counts.reset();
    await(next.commit("two"));
    // and so is the manifest before
    assertThat(counts.total()).isEqualTo(1 + 2 + 3);
    IcechunkSession other = await(Icechunk.open(place).flatMap(each -> each.session("main")));
    SessionTree.put(other, "a/c/2", "3");
    counts.reset();
    await(other.commit("three"));
    // which another program reads
    assertThat(counts.total()).isEqualTo(1 + 1 + 2 + 3);
  }

  @Test
  void a_tag_costs_four_requests() {
    RequestCounts counts = reset();
    await(repository.createTag("v1", IcechunkVersion.MAIN));
    assertThat(counts.total()).isEqualTo(4);
  }
}
