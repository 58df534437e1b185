package dev.zarrreactive.s3;

import static dev.zarrreactive.testing.Waiting.await;
import static dev.zarrreactive.testing.Waiting.errorOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.faults.NoLeaks;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.StoredObject;
import dev.zarrreactive.virtual.VirtualContainers;
import dev.zarrreactive.virtual.VirtualLocation;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The names of objects in S3 stay as a reference writes them. */
@ExtendWith(NoLeaks.class)
class S3VirtualKeysTest {
  private final S3ProxyServer signed = S3ProxyServer.shared();
  private final AnonymousS3Proxy s3 = AnonymousS3Proxy.of(signed);
  private final FaultyServer server = FaultyServer.before(s3.uri());
  private final String bucket = signed.newBucket();
  private final VirtualContainers containers =
      VirtualContainers.builder()
          .allow(
              "s3://" + bucket + "/data",
              StoreOptions.none()
                  .with("endpoint", server.uri().toString())
                  .with("anonymous", "true"))
          .build();

  @AfterEach
  void close() {
    await(containers.close());
    server.close();
    s3.close();
  }

  private StoredObject object(String rest) {
    VirtualLocation location = VirtualLocation.whole("s3://" + bucket + "/data/" + rest);
    return Objects.requireNonNull(await(containers.resolve(location))).object();
  }

  @ParameterizedTest
  @CsvSource({
    "a.nc, '', a.nc",
    "x/a%20b.nc, x, a b.nc",
    "x//a.nc, x/, a.nc",
    "//a.nc, //, a.nc",
  })
  void an_object_is_found_by_its_name_as_it_is_written(String rest, String below, String name) {
    S3Store direct = signed.at(bucket).prefix("data/" + below).open();
    Bytes content = Bytes.utf8("content of " + rest);
    await(direct.set(StoreKey.of(name), content));
    await(direct.close());
    StoredObject object = object(rest);
    assertThat(await(object.store().get(object.key()))).isEqualTo(content);
    assertThat(object(rest)).isEqualTo(object);
  }

  /** The server of the other test has no such names. */
  @ParameterizedTest
  @ValueSource(strings = {"x/../a.nc", "./x/..//y/z/a.nc", "../a.nc", "../../a.nc", "x/.//a.nc"})
  void dots_are_sent_as_they_are_written(String rest) {
    try (AnsweringS3 answering = new AnsweringS3(asked -> AnsweringS3.VALUE)) {
      VirtualContainers dots =
          VirtualContainers.builder()
              .allow(
                  "s3://" + bucket + "/data",
                  StoreOptions.none()
                      .with("endpoint", answering.server.uri().toString())
                      .with("anonymous", "true"))
              .build();
      VirtualLocation location = VirtualLocation.whole("s3://" + bucket + "/data/" + rest);
      StoredObject object = Objects.requireNonNull(await(dots.resolve(location))).object();
      assertThat(await(object.store().get(object.key()))).isEqualTo(Bytes.utf8("value"));
      assertThat(answering.server.requests().get(0).uri())
          .isEqualTo("/" + bucket + "/data/" + rest);
      await(dots.close());
    }
  }

  @Test
  void names_with_such_segments_do_not_open_stores_without_end() {
    for (int i = 0; i < 64; i++) {
      object(i + "//a.nc");
    }
    object("0//b.nc");
    assertThat(
            errorOf(containers.resolve(VirtualLocation.whole("s3://" + bucket + "/data/64//a.nc"))))
        .hasMessageContaining("more than 64 prefixes below s3://" + bucket + "/data/");
    assertThat(server.requests()).isEmpty();
  }
}
