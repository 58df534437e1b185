package dev.zarrreactive.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session that is made as PySpark makes one looks for no extensions, and has the rule still. */
class SessionRulesTest {
  @TempDir Path directory;

  @Test
  void a_session_without_extensions_gets_the_rule_with_its_first_table() {
    Years.write(directory.resolve("years.zarr"));
    SparkSession usual = TestSpark.session();
    SparkSession bare =
        new SparkSession(usual.sparkContext(), new java.util.HashMap<String, String>());
    SparkSession.setActiveSession(bare);
    try {
      Dataset<Row> table =
          bare.read().format("zarr").load(directory.resolve("years.zarr").toString());
      table.createOrReplaceTempView("bare");
      Dataset<Row> rows =
          bare.sql("SELECT month(time) AS m, avg(v) FROM bare WHERE year(time) = 2014 GROUP BY 1");
      assertThat(rows.queryExecution().executedPlan().toString())
          .contains("PushedAggregates")
          .contains("indices: [0:24");
      assertThat(rows.count()).isEqualTo(12);
    } finally {
      SparkSession.setActiveSession(usual);
    }
  }
}
