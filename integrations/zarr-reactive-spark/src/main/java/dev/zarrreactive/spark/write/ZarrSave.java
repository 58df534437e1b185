package dev.zarrreactive.spark.write;

import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.NodeExistsException;
import dev.zarrreactive.error.StoreCapabilityException;
import dev.zarrreactive.icechunk.IcechunkOrigin;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.internal.hierarchy.ForeignContent;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.partition.Pull;
import dev.zarrreactive.partition.StoreDescription;
import dev.zarrreactive.spark.bridge.RunningTasks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * A write of Spark, {@code df.write().format("zarr").save(location)}: plans the arrays, runs the
 * job, and commits what its tasks have stored. Public for the data source only.
 */
public final class ZarrSave {
  private static final Logger LOG = LoggerFactory.getLogger(ZarrSave.class);
  private static final String SHUFFLE = "spark.sql.shuffle.partitions";

  private final WriteOptions options;
  private final SaveMode mode;
  private final Dataset<Row> rows;

  private ZarrSave(WriteOptions options, SaveMode mode, Dataset<Row> rows) {
    this.options = options;
    this.mode = mode;
    this.rows = rows;
  }

  /**
   * Writes rows, and waits for the end. A failed write of new arrays leaves nothing; any other one
   * may have changed cells, each chunk whole.
   *
   * @param given the options
   * @throws IllegalArgumentException for options, columns or labels that do not fit
   * @throws IOException if the store refuses, and the task or the thread is interrupted
   */
  public static void save(Map<String, String> given, SaveMode mode, Dataset<Row> rows)
      throws IOException {
    WriteOptions options = WriteOptions.of(given);
    if (!options.ofChunks()) {
      options.checkVariables(List.of(rows.columns()));
    }
    new ZarrSave(options, mode, rows).save();
  }

  /**
   * Writes a batch of a stream to a branch of an Icechunk repository, as one commit. A batch that
   * the branch has, or that has no rows, is left out.
   *
   * @param given the options of a write
   * @param stream the name of the stream
   * @param batch its number
   * @throws IllegalArgumentException for options, columns or labels that do not fit
   * @throws IOException if the store refuses, and the task or the thread is interrupted
   */
  public static void saveBatch(
      Map<String, String> given, String stream, long batch, Dataset<Row> rows) throws IOException {
    Map<String, String> options = new TreeMap<>(given);
    options.put("stream", stream);
    options.put("batch", Long.toString(batch));
    save(options, SaveMode.Append, rows);
  }

  /**
   * Checks the options of a stream.
   *
   * @throws IllegalArgumentException for an unknown one, and one of single batches
   */
  public static void checkStream(Map<String, String> given) {
    WriteOptions.of(given)
        .refuse(
            "is for df.write() in foreachBatch; a stream has the id of its query, and numbers its"
                + " batches",
            "stream",
            "batch");
  }

  private void save() throws IOException {
    ZarrHierarchy hierarchy =
        one(options.store().open(ZarrOptions.defaults().withConsolidatedMetadata(false)));
    try {
      Optional<IcechunkOrigin> origin = IcechunkOrigin.of(hierarchy.store());
      if (origin.isPresent()) {
        saveToBranch(origin.get().repository());
      } else {
        options.refuse(
            "is for a branch of an Icechunk repository, such as REPO|icechunk:, where a batch is"
                + " one commit",
            "stream",
            "batch");
        options.refuse(
            "is for a branch of an Icechunk repository, such as REPO|icechunk:", "message");
        save(hierarchy);
      }
    } finally {
      Pull.one(hierarchy.store().close().thenReturn(true));
    }
  }

  /**
   * Writes to a branch of a repository, as one commit: metadata in a session on this machine, and
   * chunks in forks of it, whose changes the tasks send back. Nothing but the commit is seen by
   * anybody, and whatever fails before leaves only objects that nothing refers to.
   */
  private void saveToBranch(IcechunkRepository repository) throws IOException {
    options.refuse("takes over a write that was cut; one to a repository leaves nothing", "resume");
    WriteOptions.Batch batch = options.batch();
    if (batch != null && rows.isEmpty()) {
      return;
    }
    BranchWrite write = one(BranchWrite.open(options, applicationOf(rows)));
    boolean isCommitted = false;
    try {
      ZarrHierarchy hierarchy = write.hierarchy();
      if (batch != null && one(write.has(batch, repository))) {
        LOG.info("batch {} of {} is in {} already", batch.number(), batch.stream(), write.store());
      } else if (isToBeWritten(hierarchy)) {
        boolean isNew = mode == SaveMode.Overwrite || !one(hierarchy.exists(options.group()));
        WriteTarget target = target(hierarchy, isNew);
        if (mode == SaveMode.Overwrite) {
          done(hierarchy.erase(options.group()));
        }
        done(target.commit()); // in the session
        for (byte[] changes : run(target, one(write.forTasks()))) {
          done(write.session().merge(Bytes.wrap(changes)));
        }
        done(write.commit());
      }
      isCommitted = true;
    } finally {
      if (!isCommitted) {
        discard(write);
      }
    }
  }

  /** Gives a session up, also on a thread that was interrupted. */
  private static void discard(BranchWrite write) throws IOException {
    boolean isInterrupted = Thread.interrupted();
    try {
      done(write.session().discard());
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String applicationOf(Dataset<Row> rows) {
    return rows.sparkSession().conf().get("spark.app.id", "unknown");
  }

  /** Returns false where the mode leaves an existing node as it is; refuses one that it forbids. */
  private boolean isToBeWritten(ZarrHierarchy hierarchy) throws IOException {
    boolean exists = one(hierarchy.exists(options.group()));
    if (exists && mode == SaveMode.ErrorIfExists) {
      throw new NodeExistsException(
          "an array or a group is at "
              + options.target()
              + "; mode(\"append\") writes to it, mode(\"overwrite\") replaces it, mode(\"ignore\")"
              + " leaves it",
          Location.ofNode(options.group()));
    }
    return !exists || mode != SaveMode.Ignore;
  }

  private void save(ZarrHierarchy hierarchy) throws IOException {
    if (!isToBeWritten(hierarchy)) {
      return;
    }
    boolean exists = one(hierarchy.exists(options.group()));
    if (!exists) {
      refuseOther(hierarchy);
    } else {
      ReadSources.check(rows, options.store(), options.target());
    }
    boolean isNew = !exists || mode == SaveMode.Overwrite;
    WriteTarget target = target(hierarchy, isNew);
    if (mode == SaveMode.Overwrite) {
      done(hierarchy.erase(options.group()));
    }
    done(target.begin());
    RunningTasks tasks = RunningTasks.since(rows);
    try {
      run(target, TaskStore.itself(options.store()));
      done(target.commit());
    } catch (Throwable e) { // Spark throws checked exceptions of Scala, too
      abort(target, tasks, e);
      throw e;
    }
  }

  /** Refuses a place that belongs to another program, such as a repository of Icechunk. */
  private void refuseOther(ZarrHierarchy hierarchy) throws IOException {
    Optional<String> other =
        one(
            ForeignContent.inDirectory(hierarchy.store(), NodePath.of(options.group()))
                .map(found -> Optional.of(found.sentence()))
                .defaultIfEmpty(Optional.empty()));
    if (other.isPresent()) {
      throw new StoreCapabilityException(
          "a write would damage what is at " + options.target() + ": " + other.get(),
          Location.ofNode(options.group()));
    }
  }

  private WriteTarget target(ZarrHierarchy hierarchy, boolean isNew) throws IOException {
    if (options.ofChunks()) {
      options.refuse(
          "is for cells",
          "dimensions",
          "append",
          "extents",
          "descending",
          "template",
          "attributes",
          "consolidated",
          "resume",
          "packed.",
          "missing.");
      for (String column : List.of("array", "origin", "shape", "data")) {
        Labels.column(rows, column);
      }
      return isNew
          ? ChunkTarget.created(hierarchy, options, rows)
          : ChunkTarget.existing(hierarchy, options, rows);
    } else if (!isNew) {
      // each batch of a stream has the options of the first one
      WriteOptions own = options.batch() == null ? options : options.ofExisting();
      return new ExistingPlan(hierarchy, own, rows).target();
    }
    String location = options.text("template");
    if (location == null) {
      return one(NewDatasetTarget.of(hierarchy, options, rows, null));
    }
    StoreDescription template = new StoreDescription(location, options.store().options());
    return one(
        Mono.usingWhen(
            template.open(ZarrOptions.defaults()),
            opened ->
                dev.zarrreactive.dataset.Dataset.open(opened, "")
                    .flatMap(dataset -> NewDatasetTarget.of(hierarchy, options, rows, dataset)),
            opened -> opened.store().close()));
  }

  private List<byte[]> run(WriteTarget target, TaskStore store) {
    if (options.ofChunks()) {
      return RowJob.run(
          rows,
          store,
          target,
          new BoxPlacement(target.arrays()),
          List.of("array", "origin", "shape"),
          List.of("origin", "shape", "data"),
          most());
    }
    List<String> keys = new ArrayList<>();
    target.labels().forEach(labels -> keys.add(labels.column()));
    List<String> values = target.arrays().stream().map(ArrayTarget::column).toList();
    return RowJob.run(
        rows, store, target, new Placement(target.labels(), target.groups()), keys, values, most());
  }

  private int most() {
    String tasks = options.text("tasks");
    if (tasks != null) {
      return (int) Math.max(1, Math.min(1 << 20, WriteOptions.numbers("tasks", tasks)[0]));
    }
    return Integer.parseInt(rows.sparkSession().conf().get(SHUFFLE, "200"));
  }

  /**
   * Removes the traces of the write, also on a thread that was interrupted. A task that still runs
   * may be about to store a unit, so the traces wait for it.
   */
  private static void abort(WriteTarget target, RunningTasks tasks, Throwable cause) {
    boolean isInterrupted = Thread.interrupted();
    try {
      tasks.awaitEnd();
      done(target.abort());
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void done(Mono<Void> work) throws IOException {
    one(work.thenReturn(true));
  }

  /** Waits for a result, and throws the error of a caller as it is. */
  private static <T> T one(Mono<T> result) throws IOException {
    try {
      return Pull.one(result);
    } catch (IOException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
