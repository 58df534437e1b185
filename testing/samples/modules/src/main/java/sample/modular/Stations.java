package sample.modular;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.metadata.ArrayMetadata;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Writes an array into a directory, reads a slice of it, and names the modules that the JVM found.
 */
public final class Stations {
  private Stations() {}

  /** Takes a directory that is not there yet. */
  public static void main(String[] arguments) {
    NdArray names =
        NdArray.ofStrings(DataTypes.STRING, Shape.of(4), "Basel", "Graz", "Linz", "Wien");
    NdArray slice =
        Zarr.at(arguments[0])
            .createArray(ArrayMetadata.v3(names.shape(), names.dataType()).chunkShape(2).build())
            .flatMap(array -> array.write(Selection.all(), names).then(array.read("1:3")))
            .block();
    System.out.println(slice);
    System.out.println("modules: " + modules());
  }

  private static TreeSet<String> modules() {
    return ModuleLayer.boot().modules().stream()
        .map(Module::getName)
        .filter(name -> name.startsWith("dev.zarrreactive.") || name.startsWith("sample."))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
