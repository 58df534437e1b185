package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.error.StoreException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;

/** Versions where the server has weak ETags, none, or does not look at conditions. */
@ExtendWith(NoLeaks.class)
class HttpVersionsTest {
  private static final ByteRange RANGE = new ByteRange.Slice(10, 5);
  private static final ByteRange EMPTY = new ByteRange.Slice(10, 0);

  private final Served served = new Served(1000, false);

  @AfterEach
  void close() {
    served.close();
  }

  private Mono<VersionedBytes> read(@Nullable ByteRange range, ReadCondition condition) {
    return served.store.getVersioned(KEY, range, condition);
  }

  private Version version() {
    return Objects.requireNonNull(
        Objects.requireNonNull(await(read(RANGE, ReadCondition.ALWAYS))).version());
  }

  @Test
  void a_condition_is_a_header_and_its_failure_costs_no_body() {
    ReadCondition known = ReadCondition.ifChanged(version());
    served.server.forget();
    assertThat(Objects.requireNonNull(await(read(null, known))).isUnchanged()).isTrue();
    assertThat(errorOf(read(null, ReadCondition.ifMatch(new Version("\"other\"")))))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(served.server.requests().get(0).header("if-none-match")).isNotNull();
    assertThat(served.server.requests().get(1).header("if-match")).isEqualTo("\"other\"");
    assertThat(served.server.sentBytes()).isZero();
  }

  @Test
  void a_weak_tag_is_a_version_and_is_never_sent_as_a_match() {
    served.server.misbehave(Fault.header("etag", "W/\"1\""));
    assertThat(version()).isEqualTo(new Version("W/\"1\""));
    served.server.forget();
    assertThat(await(read(RANGE, ReadCondition.ifMatch(version())))).isNotNull();
    assertThat(served.server.requests()).allMatch(asked -> asked.header("if-match") == null);
    assertThat(errorOf(read(RANGE, ReadCondition.ifMatch(new Version("W/\"2\"")))))
        .isInstanceOf(PreconditionFailedException.class);
  }

  @Test
  void a_server_that_does_not_look_at_conditions_is_not_believed() {
    Version version = version();
    served.server.misbehave(Fault.changingTags().and(Fault.ignoreConditions()));
    assertThat(errorOf(read(RANGE, ReadCondition.ifMatch(version))))
        .isInstanceOf(PreconditionFailedException.class);
    assertThat(errorOf(read(new ByteRange.Slice(2000, 1), ReadCondition.ifMatch(version))))
        .isInstanceOf(PreconditionFailedException.class);
    served.server.misbehave(Fault.ignoreConditions());
    VersionedBytes same = await(read(RANGE, ReadCondition.ifChanged(version)));
    assertThat(same).isEqualTo(VersionedBytes.unchanged(version));
  }

  @Test
  void without_a_tag_there_is_no_version_and_none_can_be_asked_for() {
    served.server.misbehave(Fault.header("etag", null).and(Fault.ignoreConditions()));
    VersionedBytes read = Objects.requireNonNull(await(read(RANGE, ReadCondition.ALWAYS)));
    assertThat(read.version()).isNull();
    assertThat(read.bytes()).isEqualTo(served.value.slice(10, 5));
    assertThat(errorOf(read(RANGE, ReadCondition.ifMatch(new Version("\"1\"")))))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("sends none");
  }

  @Test
  void a_value_that_is_not_newer_is_read_and_a_newer_one_is_refused() {
    Instant modified = Instant.parse("2026-03-04T05:06:07Z");
    ReadCondition then = ReadCondition.ifUnmodifiedSince(modified.plusMillis(999));
    ReadCondition before = ReadCondition.ifUnmodifiedSince(modified.minusSeconds(1));
    served.server.misbehave(Fault.header("last-modified", "Wed, 04 Mar 2026 05:06:07 GMT"));
    for (ByteRange range : Arrays.asList(null, RANGE, new ByteRange.Suffix(3), EMPTY)) {
      served.server.forget();
      assertThat(await(read(range, then))).as("%s", range).isNotNull();
      assertThat(errorOf(read(range, before)))
          .as("%s", range)
          .isInstanceOf(PreconditionFailedException.class)
          .hasMessageContaining("as it was at 2026-03-04T05:06:06Z")
          .hasMessageContaining(KEY.value());
    }
    served.server.forget();
    assertThat(await(read(RANGE, then))).isNotNull();
    assertThat(served.server.requests().get(0).header("if-unmodified-since"))
        .isEqualTo("Wed, 04 Mar 2026 05:06:07 GMT");
  }

  @Test
  void a_server_that_refuses_a_newer_value_sends_no_body() {
    served.server.misbehave(Fault.status(412, null));
    assertThat(errorOf(read(RANGE, ReadCondition.ifUnmodifiedSince(Instant.EPOCH))))
        .isInstanceOf(PreconditionFailedException.class)
        .hasMessageContaining("modified later");
  }

  @Test
  void a_server_that_tells_no_time_cannot_be_asked_for_an_old_value() {
    served.server.misbehave(Fault.header("last-modified", null));
    assertThat(errorOf(read(RANGE, ReadCondition.ifUnmodifiedSince(Instant.now()))))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("does not tell when it was modified");
  }
}
