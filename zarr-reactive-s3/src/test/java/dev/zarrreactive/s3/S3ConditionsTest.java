package dev.zarrreactive.s3;

import static dev.zarrreactive.s3.OneValue.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ReceivedRequest;
import dev.zarrreactive.store.Precondition;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Conditions on large values, at a server that ignores them at the end of an upload in parts. Every
 * value is a large one here: one above 0 bytes.
 */
@ExtendWith(NoLeaks.class)
class S3ConditionsTest {
  private static final int PART = 5 << 20;

  private static final Bytes FIRST = Bytes.utf8("first");
  private static final Bytes SECOND = Bytes.utf8("second");

  private final S3ProxyServer signed = S3ProxyServer.shared();
  private final AnonymousS3Proxy s3 = AnonymousS3Proxy.of(signed);
  private final FaultyServer server = FaultyServer.before(s3.uri());
  private final String bucket = signed.newBucket();
  private final S3Store store = settings().open();

  private S3StoreBuilder settings() {
    return S3Store.at(bucket).endpoint(server.uri()).anonymous().multipart(0, PART);
  }

  @BeforeEach
  void ignoreConditionsAtCompletion() {
    server.misbehave(Fault.ignoreConditions().ofMethod("POST"));
  }

  @AfterEach
  void close() {
    await(store.close());
    server.close();
    s3.close();
  }

  private List<ReceivedRequest> writes() {
    return server.requests().stream()
        .filter(asked -> asked.method().equals("PUT") || asked.method().equals("POST"))
        .toList();
  }

  private Version version() {
    return Objects.requireNonNull(
        Objects.requireNonNull(await(store.getVersioned(KEY, null, ReadCondition.ALWAYS)))
            .version());
  }

  @Test
  void a_large_value_is_not_created_over_another() {
    await(store.set(KEY, FIRST, Precondition.ABSENT));
    assertThat(errorOf(store.set(KEY, SECOND, Precondition.ABSENT)))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(await(store.get(KEY))).isEqualTo(FIRST);
    assertThat(writes())
        .as("one request each")
        .hasSize(2)
        .allMatch(asked -> "*".equals(asked.header("if-none-match")));
  }

  @Test
  void a_large_value_does_not_replace_a_version_that_it_was_not_made_from() {
    await(store.set(KEY, FIRST));
    Version first = version();
    await(store.set(KEY, SECOND, Precondition.matches(first)));
    assertThat(errorOf(store.set(KEY, FIRST, Precondition.matches(first))))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(await(store.get(KEY))).isEqualTo(SECOND);
  }

  @Test
  void without_a_condition_a_large_value_is_still_written_in_parts() {
    await(store.set(KEY, FIRST));
    assertThat(writes()).hasSize(3);
    assertThat(await(store.get(KEY))).isEqualTo(FIRST);
  }

  @Test
  void a_server_that_is_known_to_check_gets_parts_and_the_condition_with_the_last_request() {
    S3Store parts = settings().conditionalMultipart(true).open();
    await(parts.set(KEY, FIRST, Precondition.ABSENT));
    List<ReceivedRequest> writes = writes();
    assertThat(writes).hasSize(3);
    assertThat(writes.get(2).header("if-none-match")).isEqualTo("*");
    await(parts.close());
  }
}
