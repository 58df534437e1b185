package dev.zarrreactive.internal.context;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.internal.context.HierarchyContext.Limits;
import dev.zarrreactive.internal.threads.Environment;
import dev.zarrreactive.store.Coalescing;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RequestLimit;
import dev.zarrreactive.store.memory.MemoryStore;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SharedContextsTest {
  private final SharedContexts clients = new SharedContexts();
  private final Store store = MemoryStore.create();

  private static Limits limits(int concurrency) {
    return new Limits(
        concurrency,
        1 << 20,
        false,
        null,
        false,
        Coalescing.adaptive(),
        1 << 20,
        0,
        0,
        Environment.current().codecScheduler());
  }

  private HierarchyContext client(Store of, int concurrency, @Nullable RequestLimit limit) {
    return clients.get(of, limits(concurrency), limit, null, false);
  }

  @Test
  void users_of_one_store_with_equal_options_share_a_client() {
    HierarchyContext first = client(store, 4, null);
    assertThat(client(store, 4, null)).isSameAs(first);
    assertThat(clients.size()).isEqualTo(1);
  }

  @Test
  void other_options_and_other_stores_have_clients_of_their_own() {
    RequestLimit limit = RequestLimit.fixed(3);
    List<HierarchyContext> all =
        List.of(
            client(store, 4, null),
            client(store, 5, null),
            client(store, 4, limit),
            client(store, 4, RequestLimit.fixed(3)),
            client(MemoryStore.create(), 4, null));
    assertThat(all).doesNotHaveDuplicates();
    assertThat(client(store, 4, limit)).isSameAs(all.get(2));
    assertThat(clients.size()).isEqualTo(5);
    Reference.reachabilityFence(all);
  }

  @Test
  void a_client_without_users_goes_and_so_does_its_store() throws InterruptedException {
    WeakReference<Store> unused = storeOfAnUnusedClient();
    HierarchyContext used = client(store, 4, null);
    client(store, 5, null);
    while (clients.size() > 1 || unused.get() != null) { // until the collector has been there
      System.gc();
      Thread.sleep(1);
    }
    assertThat(client(store, 4, null)).isSameAs(used);
  }

  private WeakReference<Store> storeOfAnUnusedClient() {
    Store of = MemoryStore.create();
    client(of, 4, null);
    return new WeakReference<>(of);
  }

  @Test
  void users_at_the_same_time_get_one_client() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<HierarchyContext>> users = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        users.add(() -> client(store, 4, null));
      }
      List<HierarchyContext> found = new ArrayList<>();
      for (Future<HierarchyContext> user : threads.invokeAll(users)) {
        found.add(user.get());
      }
      assertThat(found).containsOnly(found.get(0));
    } finally {
      threads.shutdown();
    }
  }

  @Test
  void stores_that_were_opened_by_their_location_share_a_bound_while_one_is_in_use()
      throws InterruptedException {
    HierarchyContext one = clients.get(store, limits(4), null, null, true);
    HierarchyContext other = clients.get(MemoryStore.create(), limits(5), null, null, true);
    assertThat(other).isNotSameAs(one);
    assertThat(other.budget()).isSameAs(one.budget());
    assertThat(client(store, 4, null)).isNotSameAs(one);
    assertThat(client(store, 4, null).budget()).isNotSameAs(one.budget());
    assertThat(clients.sharedBounds()).isEqualTo(1);
    Reference.reachabilityFence(List.of(one, other));
    one = client(store, 4, null);
    other = one;
    while (clients.sharedBounds() > 0) { // until the collector has been there
      System.gc();
      Thread.sleep(1);
    }
    assertThat(other.budget().held()).isZero();
  }
}
