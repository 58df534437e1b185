package dev.zarrreactive.s3;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

class CountingInS3Test {
  @Test
  void two_processes_with_four_writers_each_lose_no_update() {
    CountingInS3.run(S3ProxyServer.shared());
  }

  @Test
  @EnabledIfSystemProperty(named = RealServer.ENDPOINT, matches = ".+")
  void nor_at_a_server_that_was_started_elsewhere() {
    CountingInS3.runAtRealServer();
  }
}
