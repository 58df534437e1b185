/** The bridge from streams to threads of Spark, which wait. */
@NullMarked
package dev.zarrreactive.spark.bridge;

import org.jspecify.annotations.NullMarked;
