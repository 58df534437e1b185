package dev.zarrreactive.http;

import static dev.zarrreactive.http.Served.KEY;
import static dev.zarrreactive.http.Served.await;
import static dev.zarrreactive.http.Served.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.error.PreconditionFailedException;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.store.ReadCondition;
import dev.zarrreactive.store.Version;
import dev.zarrreactive.store.VersionedBytes;
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
}
