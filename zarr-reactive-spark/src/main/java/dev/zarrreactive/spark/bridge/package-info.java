/** The bridge from streams to threads of Spark. */
@NullMarked
package dev.zarrreactive.spark.bridge;

import org.jspecify.annotations.NullMarked;
