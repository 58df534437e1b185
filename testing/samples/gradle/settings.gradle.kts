rootProject.name = "temperatures"
