#!/usr/bin/python3
"""The examples, and what runs write, as other programs read them: PyYAML (YAML 1.1) and a JSON Schema validator."""

import json
import unittest
from pathlib import Path

import h5py
import jsonschema
import numpy
import yaml

from cli import Cli, DONE

CONFIGS = Path(__file__).resolve().parents[2] / "configs"


class SchemaCli(Cli):
    def validator(self, *words):
        done = self.scree("schema", *words)
        self.assert_status(done, DONE)
        schema = json.loads(done.stdout)
        jsonschema.Draft202012Validator.check_schema(schema)
        return jsonschema.Draft202012Validator(schema)

    def assert_valid(self, validator, path):
        faults = [f"{error.json_path}: {error.message}" for error in
                  validator.iter_errors(yaml.safe_load(Path(path).read_text()))]
        self.assertEqual(faults, [], f"{path}")

    def test_examples(self):
        run, sweep = self.validator(), self.validator("--sweep")
        for path in sorted(CONFIGS.glob("*.yaml")):
            with self.subTest(path.name):
                self.assert_valid(sweep if path.name.startswith("sweep") else run, path)

    def test_faults_are_seen(self):
        """A number that is text to YAML 1.1, and a key that is not one."""
        path = CONFIGS / "settle.yaml"
        data = yaml.safe_load(path.read_text())
        validator = self.validator()
        self.assertFalse(validator.is_valid({**data, "time": {"dt": "2e-3", "end": 1.0}}))
        self.assertFalse(validator.is_valid({**data, "gravitty": [0, 0, -9.81]}))

    def test_friction_is_asked_for_where_two_meet(self):
        data = yaml.safe_load((CONFIGS / "settle.yaml").read_text())
        validator = self.validator()
        for entry, is_valid in (({"between": ["a", "b"], "contact": "none"}, True), ({"between": "default", "mu": 0.5}, True),
                                ({"between": ["a", "b"]}, False), ({"between": "default", "contact": "unilateral"}, False),
                                ({"between": "others", "mu": 0.5}, False)):
            with self.subTest(entry=entry):
                self.assertEqual(validator.is_valid({**data, "friction": [entry]}), is_valid)

    def test_effective_configurations(self):
        """run.yaml of each example, which names every key; of the run itself no step is needed."""
        validator = self.validator()
        with h5py.File(self.folder / "cell.h5", "w") as file:  # in the place of the run of configs/cell.yaml
            file["position"], file["radius"] = numpy.array([[0.1, 0.1, 0.1]]), numpy.array([0.01])
        few = {"colony": [], "shapes": [], "slope": ["bodies.flow.place.count=20"], "trench-1m": ["bodies.bed.place.file=cell.h5"]}
        for path in sorted(set(CONFIGS.glob("*.yaml")) - set(CONFIGS.glob("sweep*.yaml"))):
            with self.subTest(path.name):
                group = next(iter(yaml.safe_load(path.read_text()).get("bodies", {})), None)
                settings = few.get(path.stem, [f"bodies.{group}.place.count=20"] if group else [])
                dt = yaml.safe_load(path.read_text())["time"]["dt"]
                words = [w for s in (*settings, f"time.end={dt}") for w in ("--set", s)]
                done = self.scree("run", str(path), "--output", path.stem, "--quiet", *words)
                self.assert_status(done, DONE)
                self.assert_valid(validator, self.folder / path.stem / "run.yaml")


if __name__ == "__main__":
    unittest.main()
