package dev.zarrreactive.spark;

import dev.zarrreactive.spark.write.ZarrSave;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.streaming.Sink;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/**
 * The sink of a stream: each batch of it is one commit to a branch of an Icechunk repository, whose
 * metadata have the id of the query and the number of the batch. A batch that Spark repeats, after
 * a failure of the driver too, is found there and left out.
 */
final class BatchSink implements Sink {
  /** Set by Spark on the thread of a query: an id that its checkpoint keeps. */
  private static final String QUERY = "sql.streaming.queryId";

  private final Map<String, String> options;

  BatchSink(Map<String, String> options) {
    ZarrSave.checkStream(options);
    this.options = Map.copyOf(options);
  }

  @Override
  public void addBatch(long number, Dataset<Row> batch) {
    String query = batch.sparkSession().sparkContext().getLocalProperty(QUERY);
    if (query == null) {
      throw new IllegalStateException("Spark tells no id of the query");
    }
    StructType schema = batch.schema();
    // the plan of a batch runs as it is; operators on it would plan it anew
    JavaRDD<Row> rows =
        batch.queryExecution().toRdd().toJavaRDD().mapPartitions(new ToRows(schema));
    Dataset<Row> once =
        batch.sparkSession().createDataFrame(rows, schema).persist(StorageLevel.MEMORY_AND_DISK());
    try {
      ZarrSave.saveBatch(options, query, number, once);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      once.unpersist();
    }
  }

  /** Makes rows of Spark's own form. */
  private record ToRows(StructType schema)
      implements FlatMapFunction<java.util.Iterator<InternalRow>, Row> {
    private static final long serialVersionUID = 1;

    @Override
    public java.util.Iterator<Row> call(java.util.Iterator<InternalRow> rows) {
      scala.Function1<Object, Object> convert =
          CatalystTypeConverters.createToScalaConverter(schema);
      return new java.util.Iterator<>() {
        @Override
        public boolean hasNext() {
          return rows.hasNext();
        }

        @Override
        public Row next() {
          return (Row) convert.apply(rows.next());
        }
      };
    }
  }

  @Override
  public String toString() {
    return "zarr " + options.get("path");
  }
}
