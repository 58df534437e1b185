package dev.zarrreactive.s3;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.error.CommitConflictException;
import dev.zarrreactive.icechunk.Icechunk;
import dev.zarrreactive.icechunk.IcechunkRepository;
import dev.zarrreactive.icechunk.IcechunkSession;
import dev.zarrreactive.metadata.ArrayMetadata;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.decorator.RetryOptions;
import dev.zarrreactive.store.decorator.Stores;
import dev.zarrreactive.testing.Waiting;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that commits to a repository in a bucket while others do, as {@code commit_together.py}
 * beside it, by some writers at once.
 */
final class CommittingToBucket {
  /** More commits than a writer makes. */
  static final int MOST = 10_000;

  /** A hundred tries with pauses may take minutes where eight writers contend. */
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private CommittingToBucket() {}

  /** Takes the endpoint, the bucket, the keys, how much, and the numbers of the writers. */
  public static void main(String[] arguments) throws InterruptedException {
    Store place = store(URI.create(arguments[0]), arguments[1], arguments[2], arguments[3]);
    String much = arguments[4];
    List<Thread> writers = new ArrayList<>();
    for (String number : Arrays.asList(arguments).subList(5, arguments.length)) {
      Thread writer = new Thread(() -> write(place, much, Integer.parseInt(number)));
      writer.start();
      writers.add(writer);
    }
    for (Thread writer : writers) {
      writer.join();
    }
    System.exit(0); // threads of the client live on for a while
  }

  /** A store of the place of the repository. */
  static Store store(URI endpoint, String bucket, String accessKey, String secretKey) {
    return Stores.retrying(
        S3Store.at(bucket)
            .prefix("repo")
            .endpoint(endpoint)
            .credentials(accessKey, secretKey)
            .open(),
        RetryOptions.defaults());
  }

  /** Makes a repository with the two arrays. */
  static void create(Store place, int writers) {
    IcechunkRepository repository = Waiting.await(Icechunk.create(place));
    IcechunkSession session = Waiting.await(repository.session("main"));
    ZarrHierarchy hierarchy = Zarr.hierarchy(session);
    Waiting.await(
        hierarchy.createArray(
            "a",
            ArrayMetadata.v3(Shape.of((long) writers * MOST), DataTypes.INT32)
                .chunkShape(1)
                .build()));
    Waiting.await(
        hierarchy.createArray(
            "log", ArrayMetadata.v3(Shape.of(0), DataTypes.INT32).chunkShape(16).build()));
    Waiting.await(session.commit("begin"));
  }

  private static void write(Store place, String much, int writer) {
    boolean isTimed = much.endsWith("s");
    long most = Long.parseLong(isTimed ? much.substring(0, much.length() - 1) : much);
    long end = System.nanoTime() + most * 1_000_000_000;
    IcechunkRepository repository = Waiting.await(Icechunk.open(place));
    for (int i = 0; isTimed ? System.nanoTime() < end : i < most; i++) {
      System.out.println(writer + " " + i + " " + commit(repository, writer, i));
    }
  }

  private static String commit(IcechunkRepository repository, int writer, int number) {
    while (true) {
      IcechunkSession session = Waiting.await(repository.session("main"));
      ZarrHierarchy hierarchy = Zarr.hierarchy(session);
      int place = writer * MOST + number;
      if (number % 2 == 1) {
        ZarrArray log = Waiting.await(hierarchy.openArray("log"));
        Waiting.await(log.append(0, NdArray.ofInts(DataTypes.INT32, Shape.of(1), place)));
      } else {
        ZarrArray array = Waiting.await(hierarchy.openArray("a"));
        Waiting.await(array.write(Selection.box(new long[] {place}, new long[] {1}), place + 1));
      }
      try {
        return session.commit(writer + " " + number).block(PATIENCE);
      } catch (CommitConflictException e) {
        // another one has appended: once more on top of it
      }
    }
  }
}
